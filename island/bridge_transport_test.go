package island_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// crowd is a transport that hands every frame over twice, each time on a goroutine of its own,
// and loses some of what it is given with an error.
type crowd struct {
	mu      sync.Mutex
	running sync.WaitGroup
	rng     *rand.Rand
	receive func([]byte)
	closed  bool
}

func (c *crowd) Send(frame []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.rng.IntN(8) == 0 {
		return errors.New("no buffer space available")
	}
	mine := append([]byte(nil), frame...)
	for range 2 {
		c.running.Go(func() { c.receive(mine) })
	}
	return nil
}

// close waits until nothing is on its way any more.
func (c *crowd) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.running.Wait()
}

// joined are two towns in registries of their own, with a bridge between them.
func joined(t *testing.T, here, there island.Transport, cfg island.BridgeConfig) (near, far *town, nearSide, farSide *island.Bridge) {
	near = found(t, new(island.Registry), "near", island.Config{})
	far = found(t, &island.Registry{Epoch: 100}, "far", island.Config{})
	near.own(func() { nearSide = island.NewBridge(near.Island, here, cfg) })
	far.own(func() { farSide = island.NewBridge(far.Island, there, cfg) })
	return near, far, nearSide, farSide
}

func TestATransportMayBeSeveralGoroutines(t *testing.T) {
	const letters = 300
	// What each sends goes to the other side.
	here, there := crowd{rng: rand.New(rand.NewPCG(1, 0))}, crowd{rng: rand.New(rand.NewPCG(2, 0))}
	near, far, nearSide, farSide := joined(t, &here, &there, island.BridgeConfig{Commands: true, GiveUp: -1})
	here.receive, there.receive = farSide.Receive, nearSide.Receive
	p := open[[2]uint32](far, "letters", 4)
	far.own(func() { island.Export(farSide, "letters", letterCodec{}) })
	near.own(func() {
		_, err := island.Import(nearSide, "letters", 4, letterCodec{})
		require.NoError(t, err)
	})
	s := dial[[2]uint32](near, "letters")
	sent := near.do("writer", func(f *stackful.Fiber) error {
		for n := range uint32(letters) {
			if err := send(f, s, [2]uint32{0, n}); err != nil {
				return err
			}
		}
		return nil
	})
	read := far.do("reader", func(f *stackful.Fiber) error {
		for n := range uint32(letters) {
			if v, ok, err := receive(f, p); err != nil || !ok || v[1] != n {
				return fmt.Errorf("%v %v %v came, want %d", v, ok, err, n)
			}
		}
		return nil
	})
	require.NoError(t, ends(t, sent))
	require.NoError(t, ends(t, read))
	here.close()
	there.close()
}

// What the transport still hands over when the island has gone is nobody's, and is not kept.
func TestWhatComesAfterTheEndIsNotKept(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	s.near.Leave(nil)
	for range 10 {
		s.near.bridge.Receive([]byte("late"))
	}
	require.EqualValues(t, 10, s.near.bridge.Counts().Lost)
}

func TestAFrameThatIsTooLongIsNotEvenCopied(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	frame := make([]byte, 64*island.MaxFrame)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.near.bridge.Receive(frame)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(island.MaxFrame))
	s.near.Poll()
	require.EqualValues(t, 1, s.near.bridge.Counts().Malformed)
}

func TestAnIslandThatEndsWithoutACauseGivesNone(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	s.far.exported()
	out := s.near.imports(letterCodec{}, 1)
	s.flow(time.Second)
	s.far.Leave(nil)
	s.flow(time.Second)
	var down *island.DownError
	require.ErrorAs(t, out.Err(), &down)
	require.NoError(t, down.Cause)
}

// Nothing has to be sent to learn it.
func TestAnImportedPortClosesWhenTheOtherPortDoes(t *testing.T) {
	for name, c := range map[string]struct {
		letters uint32 // sent before the end
		end     func(farm *hand, to *letters)
		want    string
	}{
		"after a letter":     {1, func(_ *hand, to *letters) { _ = to.Close() }, "is closed"},
		"while it is full":   {50, func(_ *hand, to *letters) { _ = to.Close() }, "is closed"},
		"before it is used":  {0, func(_ *hand, to *letters) { _ = to.Close() }, "is closed"},
		"because its island": {0, func(farm *hand, _ *letters) { farm.Leave(errors.New("drought")) }, "drought"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
			farm := newFarm(s, nil)
			to, err := island.Open[[2]uint32](farm.Island, "letters", 4)
			require.NoError(t, err)
			island.Export(s.far.bridge, "letters", letterCodec{})
			p, err := island.Import(s.near.bridge, "letters", 64, letterCodec{})
			require.NoError(t, err)
			out, err := island.Dial[[2]uint32](s.near.Island, "letters")
			require.NoError(t, err)
			heard := false
			out.OnClosed(func() { heard = true })
			for n := range c.letters {
				_, err := out.TrySend([2]uint32{0, n})
				require.NoError(t, err)
			}
			s.flow(time.Millisecond)
			require.NoError(t, out.Err())
			c.end(farm, to)
			farm.Poll()
			s.flow(time.Millisecond)
			require.ErrorContains(t, p.Err(), c.want)
			require.True(t, heard)
			requireStatus(t, p, wait.Closed)
		})
	}
}
