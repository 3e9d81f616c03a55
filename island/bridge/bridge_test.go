package bridge_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// messageCodec encodes pairs: the number of the sender, and the number of its message.
type messageCodec struct{}

func (messageCodec) Append(b []byte, v [2]uint32) ([]byte, error) {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, v[0]), v[1]), nil
}

func (messageCodec) Parse(b []byte) (v [2]uint32, err error) {
	if len(b) != 8 {
		return v, fmt.Errorf("%d bytes are no message", len(b))
	}
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}, nil
}

// pair is two islands, each in a registry of its own as in two processes, with a bridge
// between them and one virtual clock; the test is the loop of both.
type pair struct {
	memory *memwire.Wire
	clock  *scheduler.VirtualClock
	near   *side
	far    *side
}

type side struct {
	*islandtest.Stepped
	registry *island.Registry
	bridge   *bridge.Bridge
}

func newPair(t *testing.T, seed uint64, f memwire.Faults, cfg bridge.Config) *pair {
	s := &pair{memory: memwire.New(seed, f), clock: scheduler.NewVirtualClock()}
	left, right := s.memory.Ends()
	s.near, s.far = newSide(t, s.clock, left, 0, cfg), newSide(t, s.clock, right, 100, cfg)
	left.Attach(s.near.bridge.Receive)
	right.Attach(s.far.bridge.Receive)
	return s
}

func newSide(t *testing.T, clock scheduler.Clock, end bridge.Transport, epoch uint32, cfg bridge.Config) *side {
	r := &island.Registry{Epoch: epoch}
	h := islandtest.JoinWith(t, r, clock, island.Config{Name: "side"})
	return &side{h, r, bridge.New(h.Island, end, cfg)}
}

// flow runs both islands until nothing is under way, or for the duration.
func (s *pair) flow(d time.Duration) {
	for end := s.clock.Now().After(d); s.clock.Now() < end; {
		s.near.Poll()
		s.far.Poll()
		if s.near.toServe() || s.far.toServe() {
			continue
		}
		next := min(end, s.near.bridge.Next(), s.far.bridge.Next())
		if next == end {
			break
		}
		s.clock.Advance(next)
	}
	s.clock.Advance(s.clock.Now() + 1)
}

// toServe tells whether something has come; fibers that it has woken are the test's to run.
func (b *side) toServe() bool {
	return b.Steps().IdleVerdictWithReport().Kind == scheduler.Busy && !b.HasWork()
}

// Whatever the transport does to frames, each message is read once and each sender's in
// order, as soon as the transport lets anything through.
func TestABridgeDeliversOnceAndInOrderWhateverTheTransportDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chance := rapid.Float64Range(0, 0.5)
		f := memwire.Faults{Drop: chance.Draw(rt, "drop"), Duplicate: chance.Draw(rt, "duplicate"),
			Reorder: chance.Draw(rt, "reorder"), Delay: chance.Draw(rt, "delay"), Corrupt: chance.Draw(rt, "corrupt")}
		s := newPair(t, rapid.Uint64().Draw(rt, "seed"), f, bridge.Config{Timeout: -1})
		to, err := island.Open[[2]uint32](s.far.Island, "messages", 4)
		require.NoError(rt, err)
		bridge.Export(s.far.bridge, "messages", messageCodec{})
		_, err = bridge.Import(s.near.bridge, "messages", 4, messageCodec{})
		require.NoError(rt, err)
		var senders [3]*island.Sender[[2]uint32]
		for k := range senders {
			senders[k], err = island.Dial[[2]uint32](s.near.Island, "messages")
			require.NoError(rt, err)
		}
		var sent, read [3]uint32
		readAll := func() {
			for v, status := to.TryRecv(); status == wait.Received; v, status = to.TryRecv() {
				require.Equal(rt, read[v[0]], v[1], "sender %d", v[0])
				read[v[0]]++
			}
		}
		for range rapid.IntRange(1, 60).Draw(rt, "turns") {
			for range rapid.IntRange(0, 10).Draw(rt, "messages") {
				k := rapid.IntRange(0, 2).Draw(rt, "sender")
				ok, err := senders[k].TrySend([2]uint32{uint32(k), sent[k]})
				require.NoError(rt, err)
				if ok {
					sent[k]++
				}
			}
			s.memory.Partition(rapid.IntRange(0, 9).Draw(rt, "partition") == 0)
			s.flow(time.Duration(rapid.IntRange(0, 50).Draw(rt, "ms")) * time.Millisecond)
			if rapid.Bool().Draw(rt, "read") {
				readAll()
			}
		}
		s.memory.Partition(false)
		s.memory.SetFaults(memwire.Faults{})
		for range 20 {
			s.flow(2 * time.Second)
			readAll()
		}
		require.Equal(rt, sent, read)
		require.Equal(rt, scheduler.Done, s.near.Steps().IdleVerdictWithReport().Kind, "something is still under way")
	})
}

func TestTheEndOfAStreamCrossesTheBridge(t *testing.T) {
	open := func(t *testing.T, s *pair) (to, from *island.Port[[2]uint32], out *island.Sender[[2]uint32]) {
		to, err := island.Open[[2]uint32](s.far.Island, "messages", 4)
		require.NoError(t, err)
		bridge.Export(s.far.bridge, "messages", messageCodec{})
		from, err = bridge.Import(s.near.bridge, "messages", 4, messageCodec{})
		require.NoError(t, err)
		out, err = island.Dial[[2]uint32](s.near.Island, "messages")
		require.NoError(t, err)
		ok, err := out.TrySend([2]uint32{})
		require.True(t, ok && err == nil)
		s.flow(time.Second)
		return to, from, out
	}
	lossy := memwire.Faults{Drop: 0.3}
	t.Run("the importer closes: the far port reads all, and then the end", func(t *testing.T) {
		s := newPair(t, 1, lossy, bridge.Config{})
		to, from, out := open(t, s)
		to.Seal()
		require.NoError(t, from.Close())
		s.flow(time.Minute)
		require.ErrorIs(t, out.Err(), wait.ErrClosed)
		_, status := to.TryRecv()
		require.Equal(t, wait.Received, status)
		_, status = to.TryRecv()
		require.Equal(t, wait.Closed, status)
	})
	t.Run("the far port is closed: the importer's senders are refused", func(t *testing.T) {
		s := newPair(t, 2, lossy, bridge.Config{})
		to, _, out := open(t, s)
		require.NoError(t, to.Close())
		ok, err := out.TrySend([2]uint32{0, 1})
		require.True(t, ok && err == nil, "it cannot know yet")
		s.flow(time.Minute)
		require.ErrorIs(t, out.Err(), wait.ErrClosed)
	})
	t.Run("the far island ends", func(t *testing.T) {
		s := newPair(t, 3, memwire.Faults{}, bridge.Config{})
		_, _, out := open(t, s)
		s.far.Leave(errors.New("stopped"))
		s.flow(time.Minute)
		require.ErrorIs(t, out.Err(), island.ErrDown)
		require.ErrorContains(t, out.Err(), "stopped")
	})
	t.Run("nothing gets through any more", func(t *testing.T) {
		s := newPair(t, 4, memwire.Faults{}, bridge.Config{})
		to, _, out := open(t, s)
		s.memory.Partition(true)
		_, err := out.TrySend([2]uint32{0, 1})
		require.NoError(t, err)
		s.flow(bridge.DefaultTimeout - time.Second)
		require.NoError(t, out.Err(), "a partition may heal")
		s.flow(2 * time.Second)
		require.ErrorIs(t, out.Err(), bridge.ErrTimeout)
		_, status := to.TryRecv()
		require.Equal(t, wait.Received, status, "what had come is there")
	})
	t.Run("nothing is exported under the name", func(t *testing.T) {
		s := newPair(t, 5, lossy, bridge.Config{})
		p, err := bridge.Import(s.near.bridge, "missing", 1, messageCodec{})
		require.NoError(t, err)
		s.flow(time.Minute)
		require.ErrorContains(t, p.Err(), `"port missing" is not exported`)
	})
}

func TestFramesThatAreNotFromThePeerAreRefused(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	var seen [][]byte
	_, right := s.memory.Ends()
	right.Attach(func(f []byte) { seen = append(seen, append([]byte(nil), f...)); s.far.bridge.Receive(f) })
	_, err := bridge.Import(s.near.bridge, "p", 1, messageCodec{})
	require.NoError(t, err)
	s.flow(time.Second)
	require.NotEmpty(t, seen)
	before, n := s.near.bridge.Counts(), len(seen)
	for _, f := range seen {
		_ = right.Send(f) // back to its sender
	}
	_ = right.Send([]byte("SV and nothing else"))
	s.near.Poll()
	after := s.near.bridge.Counts()
	require.Equal(t, before.Misaddressed+uint64(n), after.Misaddressed)
	require.Equal(t, before.Malformed+1, after.Malformed)
	require.Len(t, seen, n, "nothing of it was answered")
}

// An island that was restarted has no streams: those to its earlier incarnation fail, and late
// frames of that incarnation are refused.
func TestALaterIncarnationOfThePeerHasNewStreams(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	to, err := island.Open[[2]uint32](s.far.Island, "messages", 4)
	require.NoError(t, err)
	bridge.Export(s.far.bridge, "messages", messageCodec{})
	_, err = bridge.Import(s.near.bridge, "messages", 4, messageCodec{})
	require.NoError(t, err)
	left, right := s.memory.Ends()
	var old [][]byte
	right.Attach(func(f []byte) { old = append(old, append([]byte(nil), f...)); s.far.bridge.Receive(f) })
	s.flow(time.Second)

	again := newSide(t, s.clock, left, 50, bridge.Config{})
	left.Attach(again.bridge.Receive)
	s.near = again
	_, err = bridge.Import(again.bridge, "messages", 4, messageCodec{})
	require.NoError(t, err)
	out, err := island.Dial[[2]uint32](again.Island, "messages")
	require.NoError(t, err)
	_, err = out.TrySend([2]uint32{7, 0})
	require.NoError(t, err)
	s.flow(time.Second)
	before := s.far.bridge.Counts()
	for _, f := range old[:1] {
		_ = left.Send(f)
	}
	s.flow(time.Second)
	require.Equal(t, before.Misaddressed+1, s.far.bridge.Counts().Misaddressed)
	v, status := to.TryRecv()
	require.Equal(t, wait.Received, status)
	require.Equal(t, [2]uint32{7, 0}, v)
}

// A command that comes twice, late or not at all is carried out once.
func TestACommandOverABridgeIsCarriedOutOnce(t *testing.T) {
	const commands = 200
	s := newPair(t, 1, memwire.Faults{Drop: 0.2, Duplicate: 0.3, Reorder: 0.2, Delay: 0.2}, bridge.Config{AllowCommands: true})
	ids := map[fiber.ID]bool{}
	answers := map[string]int{}
	worker := newWorker(s, nil)
	ask := func(cmd island.Command) fiber.Token {
		s.near.SpawnCurrent()
		tok, err := s.near.Ops().Submit()
		require.NoError(t, err)
		require.NoError(t, s.near.bridge.Request(tok, cmd))
		s.near.BlockForIO(tok)
		return tok
	}
	var asked []fiber.Token
	for range commands {
		asked = append(asked, ask(island.Spawn(worker.Address(), "start", nil)), ask(island.Spawn(worker.Address(), "unknown", nil)))
	}
	for range 100 {
		s.flow(time.Second)
		worker.Poll()
	}
	for range asked {
		s.near.Poll()
		require.NotNil(t, s.near.ScheduleNext(), "a request was not answered")
		s.near.Claim()
		tok := asked[s.near.Current().Index()]
		done, ok := s.near.Ops().Completion(tok)
		require.True(t, ok)
		if id, spawned := done.Value.(fiber.ID); spawned {
			ids[id] = true
		} else {
			answers[done.Err.Error()]++
			require.ErrorIs(t, done.Err, island.ErrProgram)
		}
		s.near.KillCurrent()
	}
	require.Len(t, ids, commands)
	require.Equal(t, commands, worker.Inspect().Live(), "each was carried out once")
	require.Equal(t, map[string]int{`island: no program of this name: "unknown" on "worker"`: commands}, answers)
}

func TestCommandsAreRefusedUnlessAllowed(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{})
	s.near.SpawnCurrent()
	tok, err := s.near.Ops().Submit()
	require.NoError(t, err)
	require.NoError(t, s.near.bridge.Request(tok, island.Shutdown(s.far.Address(), "because")))
	s.near.BlockForIO(tok)
	s.flow(time.Second)
	require.NotNil(t, s.near.ScheduleNext())
	s.near.Claim()
	done, _ := s.near.Ops().Completion(tok)
	require.ErrorIs(t, done.Err, bridge.ErrRemote)
	require.ErrorContains(t, done.Err, "Config.AllowCommands")
}

func TestTheNumberOfStreamsIsLimited(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{Backlog: 1 << 12})
	refused := 0
	for range 1100 {
		p, err := bridge.Import(s.near.bridge, fmt.Sprint("port ", refused, s.clock.Now(), s.near.bridge.Counts().Frames), 1, messageCodec{})
		require.NoError(t, err)
		s.flow(time.Second)
		if strings.Contains(fmt.Sprint(p.Err()), "too many streams") {
			refused++
		}
	}
	require.Equal(t, 1100-1024, refused)
}
