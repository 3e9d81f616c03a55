package island_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// letterCodec sends pairs: who sent it, and which of its letters it is.
type letterCodec struct{}

func (letterCodec) Append(b []byte, v [2]uint32) ([]byte, error) {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, v[0]), v[1]), nil
}

func (letterCodec) Parse(b []byte) (v [2]uint32, err error) {
	if len(b) != 8 {
		return v, fmt.Errorf("%d bytes are no letter", len(b))
	}
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}, nil
}

// strait is two islands, each in a registry of its own as in two processes, with a bridge
// between them and one virtual clock; the test is the loop of both.
type strait struct {
	memory *island.Memory
	clock  *scheduler.VirtualClock
	near   *bank
	far    *bank
}

type bank struct {
	*hand
	bridge *island.Bridge
}

func newStrait(t *testing.T, seed uint64, f island.Faults, cfg island.BridgeConfig) *strait {
	s := &strait{memory: island.NewMemory(seed, f), clock: scheduler.NewVirtualClock()}
	left, right := s.memory.Ends()
	s.near, s.far = newBank(t, s.clock, left, 0, cfg), newBank(t, s.clock, right, 100, cfg)
	left.Attach(s.near.bridge.Receive)
	right.Attach(s.far.bridge.Receive)
	return s
}

func newBank(t *testing.T, clock scheduler.Clock, end island.Transport, epoch uint32, cfg island.BridgeConfig) *bank {
	r := &island.Registry{Epoch: epoch}
	h := &hand{t: t, Scheduler: scheduler.New[int](scheduler.Config{Number: r.Number(), Clock: clock})}
	var err error
	h.Island, err = r.Join(&h.Core, island.Config{Name: "bank"})
	require.NoError(t, err)
	return &bank{h, island.NewBridge(h.Island, end, cfg)}
}

// flow runs both islands until nothing is under way, or for the duration.
func (s *strait) flow(d time.Duration) {
	for end := s.clock.Now().After(d); s.clock.Now() < end; {
		s.near.Poll()
		s.far.Poll()
		if s.near.toServe() || s.far.toServe() {
			continue
		}
		next := min(s.near.SleepUntil(end), s.far.SleepUntil(end))
		if next == end {
			break
		}
		s.clock.Advance(next)
	}
	s.clock.Advance(s.clock.Now() + 1)
}

// toServe tells whether something has come; fibers that it has woken are the test's to run.
func (b *bank) toServe() bool { return b.Steps().IdleVerdictWithReport().Kind == scheduler.Busy && !b.HasWork() }

// Whatever the transport does to frames, each letter is read once and each sender's in
// order, as soon as the transport lets anything through.
func TestABridgeDeliversOnceAndInOrderWhateverTheTransportDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chance := rapid.Float64Range(0, 0.5)
		f := island.Faults{Drop: chance.Draw(rt, "drop"), Duplicate: chance.Draw(rt, "duplicate"),
			Reorder: chance.Draw(rt, "reorder"), Delay: chance.Draw(rt, "delay"), Corrupt: chance.Draw(rt, "corrupt")}
		s := newStrait(t, rapid.Uint64().Draw(rt, "seed"), f, island.BridgeConfig{GiveUp: -1})
		to, err := island.Open[[2]uint32](s.far.Island, "letters", 4)
		require.NoError(rt, err)
		island.Export(s.far.bridge, "letters", letterCodec{})
		_, err = island.Import(s.near.bridge, "letters", 4, letterCodec{})
		require.NoError(rt, err)
		var senders [3]*island.Sender[[2]uint32]
		for k := range senders {
			senders[k], err = island.Dial[[2]uint32](s.near.Island, "letters")
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
			for range rapid.IntRange(0, 10).Draw(rt, "letters") {
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
		s.memory.SetFaults(island.Faults{})
		for range 20 {
			s.flow(2 * time.Second)
			readAll()
		}
		require.Equal(rt, sent, read)
		require.Equal(rt, scheduler.Done, s.near.Steps().IdleVerdictWithReport().Kind, "something is still under way")
	})
}

func TestTheEndOfAStreamCrossesTheBridge(t *testing.T) {
	open := func(t *testing.T, s *strait) (to, from *island.Port[[2]uint32], out *island.Sender[[2]uint32]) {
		to, err := island.Open[[2]uint32](s.far.Island, "letters", 4)
		require.NoError(t, err)
		island.Export(s.far.bridge, "letters", letterCodec{})
		from, err = island.Import(s.near.bridge, "letters", 4, letterCodec{})
		require.NoError(t, err)
		out, err = island.Dial[[2]uint32](s.near.Island, "letters")
		require.NoError(t, err)
		ok, err := out.TrySend([2]uint32{})
		require.True(t, ok && err == nil)
		s.flow(time.Second)
		return to, from, out
	}
	lossy := island.Faults{Drop: 0.3}
	t.Run("the importer closes: the far port reads all, and then the end", func(t *testing.T) {
		s := newStrait(t, 1, lossy, island.BridgeConfig{})
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
		s := newStrait(t, 2, lossy, island.BridgeConfig{})
		to, _, out := open(t, s)
		require.NoError(t, to.Close())
		ok, err := out.TrySend([2]uint32{0, 1})
		require.True(t, ok && err == nil, "it cannot know yet")
		s.flow(time.Minute)
		require.ErrorIs(t, out.Err(), wait.ErrClosed)
	})
	t.Run("the far island ends", func(t *testing.T) {
		s := newStrait(t, 3, island.Faults{}, island.BridgeConfig{})
		_, _, out := open(t, s)
		s.far.Leave(errors.New("flood"))
		s.flow(time.Minute)
		require.ErrorIs(t, out.Err(), island.ErrDown)
		require.ErrorContains(t, out.Err(), "flood")
	})
	t.Run("nothing gets through any more", func(t *testing.T) {
		s := newStrait(t, 4, island.Faults{}, island.BridgeConfig{})
		to, _, out := open(t, s)
		s.memory.Partition(true)
		_, err := out.TrySend([2]uint32{0, 1})
		require.NoError(t, err)
		s.flow(island.DefaultGiveUp - time.Second)
		require.NoError(t, out.Err(), "a partition may heal")
		s.flow(2 * time.Second)
		require.ErrorIs(t, out.Err(), island.ErrSilent)
		_, status := to.TryRecv()
		require.Equal(t, wait.Received, status, "what had come is there")
	})
	t.Run("nothing is exported under the name", func(t *testing.T) {
		s := newStrait(t, 5, lossy, island.BridgeConfig{})
		p, err := island.Import(s.near.bridge, "nobody", 1, letterCodec{})
		require.NoError(t, err)
		s.flow(time.Minute)
		require.ErrorContains(t, p.Err(), `"port nobody" is not exported`)
	})
}

func TestWhatIsNotFromTheOtherSideIsRefused(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	var seen [][]byte
	_, right := s.memory.Ends()
	right.Attach(func(f []byte) { seen = append(seen, append([]byte(nil), f...)); s.far.bridge.Receive(f) })
	_, err := island.Import(s.near.bridge, "p", 1, letterCodec{})
	require.NoError(t, err)
	s.flow(time.Second)
	require.NotEmpty(t, seen)
	before, n := s.near.bridge.Counts(), len(seen)
	for _, f := range seen {
		_ = right.Send(f) // back to who has sent it
	}
	_ = right.Send([]byte("SV and nothing else"))
	s.near.Poll()
	after := s.near.bridge.Counts()
	require.Equal(t, before.Foreign+uint64(n), after.Foreign)
	require.Equal(t, before.Malformed+1, after.Malformed)
	require.Len(t, seen, n, "nothing of it was answered")
}

// An island that was started again has forgotten everything: whoever had streams to its
// earlier life is told, and what is left of that life on the way is refused.
func TestALaterLifeOfTheOtherSideIsNotTakenForTheEarlier(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	to, err := island.Open[[2]uint32](s.far.Island, "letters", 4)
	require.NoError(t, err)
	island.Export(s.far.bridge, "letters", letterCodec{})
	_, err = island.Import(s.near.bridge, "letters", 4, letterCodec{})
	require.NoError(t, err)
	left, right := s.memory.Ends()
	var old [][]byte
	right.Attach(func(f []byte) { old = append(old, append([]byte(nil), f...)); s.far.bridge.Receive(f) })
	s.flow(time.Second)

	again := newBank(t, s.clock, left, 50, island.BridgeConfig{})
	left.Attach(again.bridge.Receive)
	s.near = again
	_, err = island.Import(again.bridge, "letters", 4, letterCodec{})
	require.NoError(t, err)
	out, err := island.Dial[[2]uint32](again.Island, "letters")
	require.NoError(t, err)
	_, err = out.TrySend([2]uint32{7, 0})
	require.NoError(t, err)
	s.flow(time.Second)
	before := s.far.bridge.Counts()
	for _, f := range old[:1] {
		_ = left.Send(f)
	}
	s.flow(time.Second)
	require.Equal(t, before.Foreign+1, s.far.bridge.Counts().Foreign)
	v, status := to.TryRecv()
	require.Equal(t, wait.Received, status)
	require.Equal(t, [2]uint32{7, 0}, v)
}

// A command that comes twice, late or not at all is carried out once.
func TestACommandOverABridgeIsCarriedOutOnceAndAnswered(t *testing.T) {
	const commands = 200
	s := newStrait(t, 1, island.Faults{Drop: 0.2, Duplicate: 0.3, Reorder: 0.2, Delay: 0.2}, island.BridgeConfig{Commands: true})
	ids := map[fiber.ID]bool{}
	answers := map[string]int{}
	r := s.far.Island.Registry()
	farm := &hand{t: t, Scheduler: scheduler.New[int](scheduler.Config{Number: r.Number(), Clock: s.clock})}
	var err error
	farm.Island, err = r.Join(&farm.Core, island.Config{Name: "farm", Programs: map[string]island.Program{
		"plough": func([]byte) (fiber.RegularID, error) { return farm.Spawn(0) },
	}})
	require.NoError(t, err)
	ask := func(cmd island.Command) fiber.Token {
		s.near.spawn()
		tok, err := s.near.Ops().Submit()
		require.NoError(t, err)
		require.NoError(t, s.near.bridge.Request(tok, cmd))
		s.near.BlockForIO(tok)
		return tok
	}
	var asked []fiber.Token
	for range commands {
		asked = append(asked, ask(island.Spawn(farm.Address(), "plough", nil)), ask(island.Spawn(farm.Address(), "sow", nil)))
	}
	for range 100 {
		s.flow(time.Second)
		farm.Poll()
	}
	for range asked {
		s.near.Poll()
		require.NotNil(t, s.near.ScheduleNext(), "somebody has got no answer")
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
	require.Equal(t, commands, farm.Inspect().Live(), "each was carried out once")
	require.Equal(t, map[string]int{`island: it has no program of this name: "sow" on "farm"`: commands}, answers)
}

func TestABridgeTakesNoCommandsUnlessItIsTold(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{})
	s.near.spawn()
	tok, err := s.near.Ops().Submit()
	require.NoError(t, err)
	require.NoError(t, s.near.bridge.Request(tok, island.ShutDown(s.far.Address(), "because")))
	s.near.BlockForIO(tok)
	s.flow(time.Second)
	require.NotNil(t, s.near.ScheduleNext())
	s.near.Claim()
	done, _ := s.near.Ops().Completion(tok)
	require.ErrorContains(t, done.Err, `"commands" is not exported`)
}

func TestABridgeKeepsOnlySoManyStreamsOfTheOtherSide(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Backlog: 1 << 12})
	refused := 0
	for range 1100 {
		p, err := island.Import(s.near.bridge, fmt.Sprint("port ", refused, s.clock.Now(), s.near.bridge.Counts().Frames), 1, letterCodec{})
		require.NoError(t, err)
		s.flow(time.Second)
		if strings.Contains(fmt.Sprint(p.Err()), "too many streams") {
			refused++
		}
	}
	require.Equal(t, 1100-1024, refused)
}
