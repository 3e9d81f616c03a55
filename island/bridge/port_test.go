package bridge_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// fill sends until the Sender takes no more, counting from sent.
func fill(t *testing.T, out *island.Sender[[2]uint32], sent *uint32) {
	for {
		ok, err := out.TrySend([2]uint32{0, *sent})
		require.NoError(t, err)
		if !ok {
			return
		}
		*sent++
	}
}

// The other side answers all the time, that it has come no further.
func TestAPortWithoutReceiversDoesNotTimeOut(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	to := s.far.exported()
	out, sent := s.near.imports(messageCodec{}, 0), uint32(1)
	for range 20 {
		fill(t, out, &sent)
		s.flow(10 * bridge.DefaultTimeout)
	}
	for want := uint32(0); want < sent; {
		for v, status := to.TryRecv(); status == wait.Received; v, status = to.TryRecv() {
			require.Equal(t, want, v[1])
			want++
		}
		s.flow(time.Second)
	}
}

// limitedCodec refuses messages from 100 on.
type limitedCodec struct{ messageCodec }

func (limitedCodec) Append(b []byte, v [2]uint32) ([]byte, error) {
	if v[1] >= 100 {
		return nil, errors.New("too many messages")
	}
	return messageCodec{}.Append(b, v)
}

// Whatever a Sender was told it has sent is delivered, on its way, or handed over.
func TestValuesThatAnImportedPortCannotSendAreHandedToOnLost(t *testing.T) {
	goodbye := func(s *pair) { s.far.Leave(errors.New("stopped")) }
	for name, c := range map[string]func(s *pair, out *messageSender) (lost []uint32){
		"it was waiting for others to arrive": func(s *pair, out *messageSender) (lost []uint32) {
			s.memory.Partition(true)
			sent := uint32(1)
			for before := uint32(0); before != sent; s.flow(time.Second) {
				before = sent
				fill(s.near.T, out, &sent)
			}
			return []uint32{sent - 4, sent - 3, sent - 2, sent - 1}
		},
		"it had not been looked at": func(s *pair, out *messageSender) []uint32 {
			goodbye(s)
			_, _ = out.TrySend([2]uint32{0, 1})
			_, _ = out.TrySend([2]uint32{0, 2})
			return []uint32{1, 2}
		},
		"its Sender was not known yet": func(s *pair, _ *messageSender) []uint32 {
			goodbye(s)
			out, err := island.Dial[[2]uint32](s.near.Island, "messages")
			require.NoError(s.near.T, err)
			_, _ = out.TrySend([2]uint32{0, 1})
			return []uint32{1}
		},
		"it cannot be written": func(s *pair, out *messageSender) []uint32 {
			for _, v := range []uint32{1, 100, 2} {
				_, _ = out.TrySend([2]uint32{0, v})
			}
			return []uint32{100, 2}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
			s.far.exported()
			p, err := bridge.Import(s.near.bridge, "messages", 4, limitedCodec{})
			require.NoError(t, err)
			var handed []uint32
			p.OnLost(func(v [2]uint32) { handed = append(handed, v[1]) })
			out, err := island.Dial[[2]uint32](s.near.Island, "messages")
			require.NoError(t, err)
			_, err = out.TrySend([2]uint32{0, 0})
			require.NoError(t, err)
			s.flow(time.Second)
			lost := c(s, out)
			s.flow(2 * bridge.DefaultTimeout)
			require.ErrorIs(t, out.Err(), wait.ErrClosed)
			require.Equal(t, lost, handed)
			require.EqualValues(t, len(lost), p.Lost())
		})
	}
}

type messageSender = island.Sender[[2]uint32]

// sizeCodec is a codec whose values are as long as they say.
type sizeCodec struct{}

func (sizeCodec) Append(b []byte, n uint32) ([]byte, error) {
	return append(b, make([]byte, n)...), nil
}
func (sizeCodec) Parse(b []byte) (uint32, error) { return uint32(len(b)), nil }

// Whatever is taken arrives.
func TestAValueThatIsTooLongForAFrameClosesThePort(t *testing.T) {
	longest := uint32(0)
	for size := uint32(bridge.MaxFrame - 60); size <= bridge.MaxFrame; size++ {
		s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
		to, err := island.Open[uint32](s.far.Island, "wide", 4)
		require.NoError(t, err)
		bridge.Export(s.far.bridge, "wide", sizeCodec{})
		p, err := bridge.Import(s.near.bridge, "wide", 4, sizeCodec{})
		require.NoError(t, err)
		out, err := island.Dial[uint32](s.near.Island, "wide")
		require.NoError(t, err)
		_, err = out.TrySend(size)
		require.NoError(t, err)
		s.flow(time.Second)
		v, status := to.TryRecv()
		if status == wait.Received {
			require.Equal(t, size, v)
			longest = size
			continue
		}
		require.ErrorIs(t, p.Err(), island.ErrFrame)
		require.ErrorIs(t, out.Err(), island.ErrFrame)
	}
	require.EqualValues(t, bridge.MaxFrame-37, longest)
}

// verboseCodec says a lot about what it does not understand.
type verboseCodec struct{ messageCodec }

func (verboseCodec) Parse([]byte) ([2]uint32, error) {
	return [2]uint32{}, errors.New(strings.Repeat("what? ", bridge.MaxFrame))
}

func TestALongRefusalIsTruncated(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	_, err := island.Open[[2]uint32](s.far.Island, "messages", 4)
	require.NoError(t, err)
	bridge.Export(s.far.bridge, "messages", verboseCodec{})
	out := s.near.imports(messageCodec{}, 1)
	s.flow(time.Second)
	require.ErrorContains(t, out.Err(), "what? what?")
	s.far.Leave(errors.New(strings.Repeat("so much to say ", bridge.MaxFrame)))
	p, err := bridge.Import(s.near.bridge, "another", 4, messageCodec{})
	require.NoError(t, err)
	s.flow(time.Second)
	require.ErrorContains(t, p.Err(), "so much to say so much")
}

func TestAPortNameThatIsTooLongForAFrameIsRefused(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	longest := strings.Repeat("n", bridge.MaxFrame-37-len("port "))
	_, err := bridge.Import(s.near.bridge, longest+"n", 4, messageCodec{})
	require.ErrorIs(t, err, island.ErrFrame)
	p, err := bridge.Import(s.near.bridge, longest, 4, messageCodec{})
	require.NoError(t, err)
	s.flow(time.Second)
	require.ErrorContains(t, p.Err(), "no such island", "the stream was refused because the port is not exported")
}

// An imported port is a port of this registry like any other, with a unique name.
func TestAPortCanBeImportedAgainAfterItsEnd(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{Drop: 0.3, Reorder: 0.3}, bridge.Config{})
	to := s.far.exported()
	for life := range uint32(3) { // each begins while what the one before has taken is on its way
		p, err := bridge.Import(s.near.bridge, "messages", 4, messageCodec{})
		require.NoError(t, err)
		out, err := island.Dial[[2]uint32](s.near.Island, "messages")
		require.NoError(t, err)
		_, err = bridge.Import(s.near.bridge, "messages", 4, messageCodec{})
		require.ErrorIs(t, err, island.ErrTaken)
		for message := range uint32(3) {
			ok, err := out.TrySend([2]uint32{life, message})
			require.True(t, ok && err == nil)
		}
		require.NoError(t, p.Close())
	}
	var read [3]uint32
	for range 5 {
		s.flow(time.Minute)
		for v, status := to.TryRecv(); status == wait.Received; v, status = to.TryRecv() {
			require.Equal(t, read[v[0]], v[1])
			read[v[0]]++
		}
	}
	require.Equal(t, [3]uint32{3, 3, 3}, read)
	to.Seal()
	requireStatus(t, to, wait.Closed)
}
