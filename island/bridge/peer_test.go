package bridge_test

import (
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

type messages = island.Port[[2]uint32]

// exported is the port "messages" of a side, which the other side may send to.
func (b *side) exported() *messages {
	to, err := island.Open[[2]uint32](b.Island, "messages", 4)
	require.NoError(b.T, err)
	bridge.Export(b.bridge, "messages", messageCodec{})
	return to
}

// imports opens the other side's port "messages" here, and sends one message to it.
func (b *side) imports(codec bridge.Codec[[2]uint32], message uint32) *island.Sender[[2]uint32] {
	_, err := bridge.Import(b.bridge, "messages", 4, codec)
	require.NoError(b.T, err)
	out, err := island.Dial[[2]uint32](b.Island, "messages")
	require.NoError(b.T, err)
	ok, err := out.TrySend([2]uint32{0, message})
	require.True(b.T, ok && err == nil)
	return out
}

func requireNext(t *testing.T, p *messages, message uint32) {
	t.Helper()
	v, status := p.TryRecv()
	require.Equal(t, wait.Received, status)
	require.Equal(t, message, v[1])
}

func requireStatus(t *testing.T, p *messages, want wait.Status) {
	t.Helper()
	_, status := p.TryRecv()
	require.Equal(t, want, status)
}

// The next life says nothing by itself: it only answers.
func TestABridgeReachesTheNextIncarnationOfThePeer(t *testing.T) {
	for name, ends := range map[string]func(s *pair){
		"that said goodbye": func(s *pair) { s.far.Leave(errors.New("restart")) },
		"that fell silent":  func(s *pair) { s.memory.Partition(true) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
			s.far.exported()
			out := s.near.imports(messageCodec{}, 1)
			s.flow(time.Second)
			ends(s)
			_, _ = out.TrySend([2]uint32{0, 2})
			s.flow(2 * bridge.DefaultTimeout)
			require.ErrorIs(t, out.Err(), wait.ErrClosed)
			s.memory.Partition(false)

			_, right := s.memory.Ends()
			s.far = newSide(t, s.clock, right, 200, bridge.Config{})
			right.Attach(s.far.bridge.Receive)
			to := s.far.exported()
			out = s.near.imports(messageCodec{}, 3)
			s.flow(2 * bridge.DefaultTimeout)
			require.NoError(t, out.Err())
			requireNext(t, to, 3)
			requireStatus(t, to, wait.Empty)
		})
	}
}

func TestLateFramesOfAnEndedPeerAreRefused(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	to := s.far.exported()
	var late [][]byte
	left, right := s.memory.Ends()
	right.Attach(func(f []byte) { late = append(late, append([]byte(nil), f...)); s.far.bridge.Receive(f) })
	s.near.imports(messageCodec{}, 1)
	s.flow(time.Second)
	requireNext(t, to, 1)
	to.Seal()
	s.near.Leave(errors.New("stopped"))
	s.flow(time.Second)
	requireStatus(t, to, wait.Closed)
	before, n := s.far.bridge.Counts().Misaddressed, uint64(len(late))
	for _, f := range late {
		_ = left.Send(f)
	}
	s.far.Poll()
	require.Equal(t, before+n, s.far.bridge.Counts().Misaddressed)
	requireStatus(t, to, wait.Closed)
}

// The far side has given the near one up and ended what came from it; the near one has heard of
// nothing, and sends again.
func TestAStreamThatTimedOutIsNotOpenedAgain(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{Timeout: -1})
	left, right := s.memory.Ends()
	s.far = newSide(t, s.clock, right, 100, bridge.Config{Timeout: time.Second})
	right.Attach(s.far.bridge.Receive)
	to := s.far.exported()
	left.Attach(func([]byte) {})
	out := s.near.imports(messageCodec{}, 1)
	back, err := bridge.Import(s.far.bridge, "back", 1, messageCodec{})
	require.NoError(t, err)
	s.flow(time.Minute)
	require.ErrorIs(t, back.Err(), bridge.ErrTimeout)
	requireNext(t, to, 1)
	requireStatus(t, to, wait.Empty)
	left.Attach(s.near.bridge.Receive)
	s.flow(time.Minute)
	require.ErrorContains(t, out.Err(), "does not answer", "the near side is told in the end")
}

// brokenCodec sends what messageCodec cannot read.
type brokenCodec struct{ messageCodec }

func (brokenCodec) Append(b []byte, _ [2]uint32) ([]byte, error) { return append(b, 1), nil }

func TestAPortClosesWithTheStreamThatItRefuses(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	to := s.far.exported()
	out := s.near.imports(brokenCodec{}, 1)
	s.flow(time.Second)
	to.Seal()
	require.ErrorContains(t, out.Err(), "1 bytes are no message")
	requireStatus(t, to, wait.Closed)
}

func TestNothingIsSentAfterTheGoodbye(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	s.far.exported()
	out := s.near.imports(messageCodec{}, 1)
	s.flow(time.Second)
	_, right := s.memory.Ends()
	n := 0
	right.Attach(func([]byte) { n++ })
	_, _ = out.TrySend([2]uint32{0, 2})
	s.near.Leave(errors.New("stopped"))
	s.flow(time.Second)
	require.Equal(t, 1, n, "only the goodbye")
	require.Equal(t, scheduler.Done, s.far.Steps().IdleVerdictWithReport().Kind)
}

// A stream that was cut off is no clean end.
func TestAReceiverLearnsWhyTheBridgeWasCutOff(t *testing.T) {
	for name, c := range map[string]struct {
		codec bridge.Codec[[2]uint32]
		end   func(s *pair, to *messages, imported *messages)
		is    error  // what Err is, or
		says  string // what it says; neither: it is nil
	}{
		"the importer has closed":   {messageCodec{}, func(_ *pair, _, p *messages) { _ = p.Close() }, nil, ""},
		"the exporter has closed":   {messageCodec{}, func(_ *pair, to, _ *messages) { _ = to.Close() }, nil, ""},
		"the other side has ended":  {messageCodec{}, func(s *pair, _, _ *messages) { s.near.Leave(errors.New("stopped")) }, island.ErrDown, "stopped"},
		"what came was brokenCodec": {brokenCodec{}, func(*pair, *messages, *messages) {}, nil, "1 bytes are no message"},
		"the other side was silent": {messageCodec{}, silence, bridge.ErrTimeout, ""},
		"another life has begun": {messageCodec{}, func(s *pair, _, _ *messages) {
			left, _ := s.memory.Ends()
			s.near = newSide(t, s.clock, left, 50, bridge.Config{})
			left.Attach(s.near.bridge.Receive)
			s.near.imports(messageCodec{}, 9)
		}, island.ErrDown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
			to := s.far.exported()
			p, err := bridge.Import(s.near.bridge, "messages", 4, c.codec)
			require.NoError(t, err)
			out, err := island.Dial[[2]uint32](s.near.Island, "messages")
			require.NoError(t, err)
			_, err = out.TrySend([2]uint32{})
			require.NoError(t, err)
			s.flow(time.Second)
			require.Equal(t, c.codec == messageCodec{}, statusOf(to) == wait.Received)
			c.end(s, to, p)
			s.flow(2 * bridge.DefaultTimeout)
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

// silence has the far side send something that is not answered.
func silence(s *pair, _, _ *messages) {
	s.memory.Partition(true)
	_, err := bridge.Import(s.far.bridge, "back", 1, messageCodec{})
	require.NoError(s.far.T, err)
}

func statusOf(p *messages) wait.Status {
	_, status := p.TryRecv()
	return status
}

// That a stream has ended is kept, for what is late of it; its port, as large as its Senders' rings,
// is not.
func TestABridgeDoesNotKeepEndedPortsAlive(t *testing.T) {
	for name, end := range map[string]func(to, imported *messages){
		"here":  func(_, p *messages) { _ = p.Close() },
		"there": func(to, _ *messages) { _ = to.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
			to := s.far.exported()
			p, err := bridge.Import(s.near.bridge, "messages", 1<<10, messageCodec{})
			require.NoError(t, err)
			s.flow(time.Second)
			end(to, p)
			s.flow(time.Second)
			_ = to.Close() // it may be closed
			s.flow(time.Second)
			there, here := weak.Make(to), weak.Make(p)
			to, p = nil, nil
			runtime.GC()
			require.Nil(t, there.Value(), "the exported port")
			require.Nil(t, here.Value(), "the imported port")
			runtime.KeepAlive(s)
		})
	}
}
