package island_test

import (
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

type letters = island.Port[[2]uint32]

// exported is the port "letters" of a bank, which the other bank may send to.
func (b *bank) exported() *letters {
	to, err := island.Open[[2]uint32](b.Island, "letters", 4)
	require.NoError(b.t, err)
	island.Export(b.bridge, "letters", letterCodec{})
	return to
}

// imports opens the other side's port "letters" here, and sends one letter to it.
func (b *bank) imports(codec island.Codec[[2]uint32], letter uint32) *island.Sender[[2]uint32] {
	_, err := island.Import(b.bridge, "letters", 4, codec)
	require.NoError(b.t, err)
	out, err := island.Dial[[2]uint32](b.Island, "letters")
	require.NoError(b.t, err)
	ok, err := out.TrySend([2]uint32{0, letter})
	require.True(b.t, ok && err == nil)
	return out
}

func requireNext(t *testing.T, p *letters, letter uint32) {
	t.Helper()
	v, status := p.TryRecv()
	require.Equal(t, wait.Received, status)
	require.Equal(t, letter, v[1])
}

func requireStatus(t *testing.T, p *letters, want wait.Status) {
	t.Helper()
	_, status := p.TryRecv()
	require.Equal(t, want, status)
}

// The next life says nothing by itself: it only answers.
func TestABridgeReachesTheNextLifeOfTheOtherSide(t *testing.T) {
	for name, ends := range map[string]func(s *strait){
		"that said goodbye": func(s *strait) { s.far.Leave(errors.New("restart")) },
		"that fell silent":  func(s *strait) { s.memory.Partition(true) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
			s.far.exported()
			out := s.near.imports(letterCodec{}, 1)
			s.flow(time.Second)
			ends(s)
			_, _ = out.TrySend([2]uint32{0, 2})
			s.flow(2 * island.DefaultGiveUp)
			require.ErrorIs(t, out.Err(), wait.ErrClosed)
			s.memory.Partition(false)

			_, right := s.memory.Ends()
			s.far = newBank(t, s.clock, right, 200, island.BridgeConfig{})
			right.Attach(s.far.bridge.Receive)
			to := s.far.exported()
			out = s.near.imports(letterCodec{}, 3)
			s.flow(2 * island.DefaultGiveUp)
			require.NoError(t, out.Err())
			requireNext(t, to, 3)
			requireStatus(t, to, wait.Empty)
		})
	}
}

func TestWhatIsLateOfALifeThatIsOverIsNotReceivedAgain(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	to := s.far.exported()
	var late [][]byte
	left, right := s.memory.Ends()
	right.Attach(func(f []byte) { late = append(late, append([]byte(nil), f...)); s.far.bridge.Receive(f) })
	s.near.imports(letterCodec{}, 1)
	s.flow(time.Second)
	requireNext(t, to, 1)
	to.Seal()
	s.near.Leave(errors.New("flood"))
	s.flow(time.Second)
	requireStatus(t, to, wait.Closed)
	before, n := s.far.bridge.Counts().Foreign, uint64(len(late))
	for _, f := range late {
		_ = left.Send(f)
	}
	s.far.Poll()
	require.Equal(t, before+n, s.far.bridge.Counts().Foreign)
	requireStatus(t, to, wait.Closed)
}

// The far side has given the near one up and ended what came from it; the near one has heard of
// nothing, and sends again.
func TestWhatWasEndedBySilenceIsNotBegunAnew(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{GiveUp: -1})
	left, right := s.memory.Ends()
	s.far = newBank(t, s.clock, right, 100, island.BridgeConfig{GiveUp: time.Second})
	right.Attach(s.far.bridge.Receive)
	to := s.far.exported()
	left.Attach(func([]byte) {})
	out := s.near.imports(letterCodec{}, 1)
	back, err := island.Import(s.far.bridge, "back", 1, letterCodec{})
	require.NoError(t, err)
	s.flow(time.Minute)
	require.ErrorIs(t, back.Err(), island.ErrSilent)
	requireNext(t, to, 1)
	requireStatus(t, to, wait.Empty)
	left.Attach(s.near.bridge.Receive)
	s.flow(time.Minute)
	require.ErrorContains(t, out.Err(), "silent", "the near side is told in the end")
}

// illegible sends what letterCodec cannot read.
type illegible struct{ letterCodec }

func (illegible) Append(b []byte, _ [2]uint32) ([]byte, error) { return append(b, 1), nil }

func TestAPortEndsWithTheStreamThatItRefuses(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	to := s.far.exported()
	out := s.near.imports(illegible{}, 1)
	s.flow(time.Second)
	to.Seal()
	require.ErrorContains(t, out.Err(), "1 bytes are no letter")
	requireStatus(t, to, wait.Closed)
}

func TestNothingIsSentAfterTheGoodbye(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	s.far.exported()
	out := s.near.imports(letterCodec{}, 1)
	s.flow(time.Second)
	_, right := s.memory.Ends()
	n := 0
	right.Attach(func([]byte) { n++ })
	_, _ = out.TrySend([2]uint32{0, 2})
	s.near.Leave(errors.New("flood"))
	s.flow(time.Second)
	require.Equal(t, 1, n, "only the goodbye")
	require.Equal(t, scheduler.Done, s.far.Steps().IdleVerdictWithReport().Kind)
}

// A stream that was cut off is no clean end.
func TestAReceiverIsToldWhyNothingMoreComesOverTheBridge(t *testing.T) {
	for name, c := range map[string]struct {
		codec island.Codec[[2]uint32]
		end   func(s *strait, to *letters, imported *letters)
		is    error  // what Err is, or
		says  string // what it says; neither: it is nil
	}{
		"the importer has closed":   {letterCodec{}, func(_ *strait, _, p *letters) { _ = p.Close() }, nil, ""},
		"the exporter has closed":   {letterCodec{}, func(_ *strait, to, _ *letters) { _ = to.Close() }, nil, ""},
		"the other side has ended":  {letterCodec{}, func(s *strait, _, _ *letters) { s.near.Leave(errors.New("flood")) }, island.ErrDown, "flood"},
		"what came was illegible":   {illegible{}, func(*strait, *letters, *letters) {}, nil, "1 bytes are no letter"},
		"the other side was silent": {letterCodec{}, silence, island.ErrSilent, ""},
		"another life has begun": {letterCodec{}, func(s *strait, _, _ *letters) {
			left, _ := s.memory.Ends()
			s.near = newBank(t, s.clock, left, 50, island.BridgeConfig{})
			left.Attach(s.near.bridge.Receive)
			s.near.imports(letterCodec{}, 9)
		}, island.ErrDown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
			to := s.far.exported()
			p, err := island.Import(s.near.bridge, "letters", 4, c.codec)
			require.NoError(t, err)
			out, err := island.Dial[[2]uint32](s.near.Island, "letters")
			require.NoError(t, err)
			_, err = out.TrySend([2]uint32{})
			require.NoError(t, err)
			s.flow(time.Second)
			require.Equal(t, c.codec == letterCodec{}, statusOf(to) == wait.Received)
			c.end(s, to, p)
			s.flow(2 * island.DefaultGiveUp)
			for statusOf(to) == wait.Received {
			}
			to.Seal()
			switch {
			case c.is != nil:
				require.ErrorIs(t, to.Err(), c.is)
				require.ErrorContains(t, to.Err(), c.says)
			case c.says != "":
				require.ErrorContains(t, to.Err(), c.says)
			default:
				requireStatus(t, to, wait.Closed)
				require.NoError(t, to.Err())
			}
		})
	}
}

// silence has the far side ask something and hear nothing.
func silence(s *strait, _, _ *letters) {
	s.memory.Partition(true)
	_, err := island.Import(s.far.bridge, "back", 1, letterCodec{})
	require.NoError(s.far.t, err)
}

func statusOf(p *letters) wait.Status {
	_, status := p.TryRecv()
	return status
}

// That a stream has ended is kept, for what is late of it; its port, as large as its Senders' rings,
// is not.
func TestABridgeKeepsNoPortThatHasEnded(t *testing.T) {
	for name, end := range map[string]func(to, imported *letters){
		"here":  func(_, p *letters) { _ = p.Close() },
		"there": func(to, _ *letters) { _ = to.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
			to := s.far.exported()
			p, err := island.Import(s.near.bridge, "letters", 1<<10, letterCodec{})
			require.NoError(t, err)
			s.flow(time.Second)
			end(to, p)
			s.flow(time.Second)
			if !to.Closed() {
				require.NoError(t, to.Close())
				s.flow(time.Second)
			}
			there, here := weak.Make(to), weak.Make(p)
			to, p = nil, nil
			runtime.GC()
			require.Nil(t, there.Value(), "the exported port")
			require.Nil(t, here.Value(), "the imported port")
			runtime.KeepAlive(s)
		})
	}
}
