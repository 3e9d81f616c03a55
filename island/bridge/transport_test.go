package bridge_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// concurrentWire is a transport that hands every frame over twice, each time on a goroutine of its own,
// and loses some of what it is given with an error.
type concurrentWire struct {
	mu      sync.Mutex
	running sync.WaitGroup
	rng     *rand.Rand
	receive func([]byte)
	closed  bool
}

func (c *concurrentWire) Send(frame []byte) error {
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
func (c *concurrentWire) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.running.Wait()
}

// joined are two islands in registries of their own, with a bridge between them.
func joined(t *testing.T, here, there bridge.Transport, cfg bridge.Config) (near, far *islandtest.Running, nearSide, farSide *bridge.Bridge) {
	near = islandtest.Start(t, new(island.Registry), "near", island.Config{})
	far = islandtest.Start(t, &island.Registry{Epoch: 100}, "far", island.Config{})
	near.Own(func() { nearSide = bridge.New(near.Island, here, cfg) })
	far.Own(func() { farSide = bridge.New(far.Island, there, cfg) })
	return near, far, nearSide, farSide
}

func TestATransportMayUseSeveralGoroutines(t *testing.T) {
	const messages = 300
	// What each sends goes to the other side.
	here, there := concurrentWire{rng: rand.New(rand.NewPCG(1, 0))}, concurrentWire{rng: rand.New(rand.NewPCG(2, 0))}
	near, far, nearSide, farSide := joined(t, &here, &there, bridge.Config{AllowCommands: true, Timeout: -1})
	here.receive, there.receive = farSide.Receive, nearSide.Receive
	p := islandtest.Open[[2]uint32](far, "messages", 4)
	far.Own(func() { bridge.Export(farSide, "messages", messageCodec{}) })
	near.Own(func() {
		_, err := bridge.Import(nearSide, "messages", 4, messageCodec{})
		require.NoError(t, err)
	})
	s := islandtest.Dial[[2]uint32](near, "messages")
	sent := near.Go("writer", func(f *stackful.Fiber) error {
		for n := range uint32(messages) {
			if err := islandtest.Send(f, s, [2]uint32{0, n}); err != nil {
				return err
			}
		}
		return nil
	})
	read := far.Go("reader", func(f *stackful.Fiber) error {
		for n := range uint32(messages) {
			if v, ok, err := islandtest.Receive(f, p); err != nil || !ok || v[1] != n {
				return fmt.Errorf("%v %v %v came, want %d", v, ok, err, n)
			}
		}
		return nil
	})
	require.NoError(t, <-sent)
	require.NoError(t, <-read)
	here.close()
	there.close()
}

// Frames that arrive after the end of the island are not kept.
func TestFramesAfterTheEndAreDropped(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	s.near.Leave(nil)
	for range 10 {
		s.near.bridge.Receive([]byte("late"))
	}
	require.EqualValues(t, 10, s.near.bridge.Counts().Dropped)
}

func TestAFrameThatIsTooLongIsNotCopied(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	frame := make([]byte, 64*bridge.MaxFrame)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.near.bridge.Receive(frame)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(bridge.MaxFrame))
	s.near.Poll()
	require.EqualValues(t, 1, s.near.bridge.Counts().Malformed)
}

func TestADownErrorWithoutACause(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	s.far.exported()
	out := s.near.imports(messageCodec{}, 1)
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
		messages uint32 // sent before the end
		end      func(worker *islandtest.Stepped, to *messages)
		want     string
	}{
		"after a message":    {1, func(_ *islandtest.Stepped, to *messages) { _ = to.Close() }, "is closed"},
		"while it is full":   {50, func(_ *islandtest.Stepped, to *messages) { _ = to.Close() }, "is closed"},
		"before it is used":  {0, func(_ *islandtest.Stepped, to *messages) { _ = to.Close() }, "is closed"},
		"because its island": {0, func(worker *islandtest.Stepped, _ *messages) { worker.Leave(errors.New("no memory")) }, "no memory"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
			worker := newWorker(s, nil)
			to, err := island.Open[[2]uint32](worker.Island, "messages", 4)
			require.NoError(t, err)
			bridge.Export(s.far.bridge, "messages", messageCodec{})
			p, err := bridge.Import(s.near.bridge, "messages", 64, messageCodec{})
			require.NoError(t, err)
			out, err := island.Dial[[2]uint32](s.near.Island, "messages")
			require.NoError(t, err)
			closed := false
			out.OnClosed(func() { closed = true })
			for n := range c.messages {
				_, err := out.TrySend([2]uint32{0, n})
				require.NoError(t, err)
			}
			s.flow(time.Millisecond)
			require.NoError(t, out.Err())
			c.end(worker, to)
			worker.Poll()
			s.flow(time.Millisecond)
			require.ErrorContains(t, p.Err(), c.want)
			require.True(t, closed)
			requireStatus(t, p, wait.Closed)
		})
	}
}
