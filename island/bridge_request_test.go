package island_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
)

// newFarm is an island beside the far bank; it serves commands only when the test polls it.
func newFarm(s *strait, refusal error) *hand {
	r := s.far.Island.Registry()
	farm := &hand{t: s.far.t, Scheduler: scheduler.New[int](scheduler.Config{Number: r.Number(), Clock: s.clock})}
	var err error
	farm.Island, err = r.Join(&farm.Core, island.Config{Name: "farm", Programs: map[string]island.Program{
		"plough": func([]byte) (fiber.RegularID, error) { return farm.Spawn(0) },
		"refuse": func([]byte) (fiber.RegularID, error) { return 0, refusal },
	}})
	require.NoError(s.far.t, err)
	return farm
}

// ask has a new fiber ask over the bridge and wait for the answer.
func (b *bank) ask(cmd island.Command) fiber.Token {
	b.spawn()
	tok, err := b.Ops().Submit()
	require.NoError(b.t, err)
	require.NoError(b.t, b.bridge.Request(tok, cmd))
	b.BlockForIO(tok)
	return tok
}

// answer ends the one fiber whose question was answered, and gives what it was told.
func (b *bank) answer(tok fiber.Token) ioqueue.Completion {
	b.t.Helper()
	b.Poll()
	require.NotNil(b.t, b.ScheduleNext(), "nobody has got an answer")
	b.Claim()
	done, ok := b.Ops().Completion(tok)
	require.True(b.t, ok, "somebody else was answered")
	b.KillCurrent()
	return done
}

// unanswered fails if somebody was told something.
func (b *bank) unanswered() {
	b.t.Helper()
	b.Poll()
	require.False(b.t, b.HasWork(), "somebody was answered")
}

// deaf has what comes to this end of the strait lost, until hears.
func deaf(e *island.MemoryEnd) { e.Attach(func([]byte) {}) }

// impatientFar is a strait whose far side gives the near one up after a second, which never does
// the same.
func impatientFar(t *testing.T) (s *strait, left *island.MemoryEnd, farm *hand) {
	s = newStrait(t, 1, island.Faults{}, island.BridgeConfig{GiveUp: -1})
	left, right := s.memory.Ends()
	s.far = newBank(t, s.clock, right, 100, island.BridgeConfig{Commands: true, GiveUp: time.Second})
	right.Attach(s.far.bridge.Receive)
	return s, left, newFarm(s, nil)
}

// The command has arrived, so nothing is on its way that could be unanswered.
func TestWhoAsksIsAnsweredAlsoWhenTheOtherSideVanishesAfterItHasTakenTheCommand(t *testing.T) {
	for name, vanish := range map[string]func(s *strait){
		"nothing passes any more": func(s *strait) { s.memory.Partition(true) },
		"only this side hears nothing any more": func(s *strait) {
			left, _ := s.memory.Ends()
			deaf(left)
		},
		"a new life is there that says nothing": func(s *strait) {
			_, right := s.memory.Ends()
			s.far = newBank(s.far.t, s.clock, right, 200, island.BridgeConfig{Commands: true})
			right.Attach(s.far.bridge.Receive)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true})
			farm := newFarm(s, nil)
			tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
			s.flow(time.Second)
			vanish(s)
			s.flow(island.DefaultGiveUp - 2*time.Second)
			s.near.unanswered()
			s.flow(4 * time.Second)
			require.ErrorIs(t, s.near.answer(tok).Err, island.ErrSilent)
			require.Equal(t, fiber.Never, s.near.SleepUntil(fiber.Never), "nothing is open any more")
		})
	}
}

func TestALivingSideMayTakeItsTimeToAnswer(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true})
	farm := newFarm(s, nil)
	_, right := s.memory.Ends()
	sent := 0
	right.Attach(func(f []byte) { sent++; s.far.bridge.Receive(f) })
	tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Hour)
	s.near.unanswered()
	require.LessOrEqual(t, sent, 3610, "it asks once a second whether the other side lives")
	farm.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err)

	sent = 0
	require.Equal(t, fiber.Never, s.near.SleepUntil(fiber.Never), "nothing is open any more")
	require.Equal(t, fiber.Never, s.far.SleepUntil(fiber.Never))
	s.flow(time.Hour)
	require.Zero(t, sent)
}

// An hour later the last that was asked while the command was carried out is not what makes the
// other side silent.
func TestSilenceIsCountedFromWhatIsAskedNow(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true})
	farm := newFarm(s, nil)
	tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Second)
	_, right := s.memory.Ends()
	deaf(right)
	s.flow(2 * time.Second) // what was asked meanwhile was not heard
	farm.Poll()
	s.flow(time.Millisecond)
	require.NoError(t, s.near.answer(tok).Err)
	right.Attach(s.far.bridge.Receive)
	s.flow(time.Second) // the answer that arrived is acknowledged
	s.clock.Advance(s.clock.Now().After(time.Hour))

	tok = s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Second)
	farm.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err)
}

// Whatever the transport does, and whoever gives whom up: everybody gets an answer, and who is told
// of a fiber is told of one that nobody else was told of.
func TestEveryQuestionOverABridgeIsAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chance := rapid.Float64Range(0, 0.5)
		s := newStrait(t, rapid.Uint64().Draw(rt, "seed"), island.Faults{Drop: chance.Draw(rt, "drop"),
			Duplicate: chance.Draw(rt, "duplicate"), Delay: chance.Draw(rt, "delay")}, island.BridgeConfig{})
		left, right := s.memory.Ends()
		giveUp := rapid.SampledFrom([]time.Duration{time.Second, 3 * time.Second})
		s.near = newBank(t, s.clock, left, 10, island.BridgeConfig{GiveUp: giveUp.Draw(rt, "near gives up")})
		s.far = newBank(t, s.clock, right, 100, island.BridgeConfig{GiveUp: giveUp.Draw(rt, "far gives up"), Commands: true})
		farm := newFarm(s, nil)
		hears := func(e *island.MemoryEnd, b *bank, what string) {
			if e.Attach(b.bridge.Receive); rapid.IntRange(0, 3).Draw(rt, what) == 0 {
				deaf(e)
			}
		}
		asked := map[int]fiber.Token{}
		for range rapid.IntRange(1, 20).Draw(rt, "turns") {
			hears(left, s.near, "near is deaf")
			hears(right, s.far, "far is deaf")
			if len(asked) < 10 && !s.near.HasWork() {
				tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
				asked[len(asked)] = tok
			}
			s.flow(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "ms")) * time.Millisecond)
			if rapid.Bool().Draw(rt, "the farm works") {
				farm.Poll()
			}
		}
		for range 10 {
			farm.Poll()
			s.flow(time.Minute)
		}
		ids := map[any]bool{}
		for n := len(asked); n > 0; n-- {
			s.near.Poll()
			require.NotNil(rt, s.near.ScheduleNext(), "%d have got no answer", n)
			s.near.Claim()
			done, ok := s.near.Ops().Completion(asked[int(s.near.Current().Index())])
			require.True(rt, ok)
			if done.Err == nil {
				require.False(rt, ids[done.Value])
				ids[done.Value] = true
			}
			s.near.KillCurrent()
		}
		require.Equal(rt, fiber.Never, s.near.SleepUntil(fiber.Never), "nothing is open any more")
	})
}

// The far side gives the near one up with answers on their way, which are lost. The near side
// was never in doubt about the far one.
func TestWhoAsksIsToldWhenTheAnswerIsLost(t *testing.T) {
	s, left, farm := impatientFar(t)
	tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Millisecond)
	deaf(left)
	farm.Poll()
	s.flow(time.Minute)
	s.near.unanswered()
	left.Attach(s.near.bridge.Receive)
	s.flow(time.Minute)
	err := s.near.answer(tok).Err
	require.ErrorContains(t, err, "silent")
	require.ErrorAs(t, err, new(*island.RemoteError))

	tok = s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Second)
	farm.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err, "the next is answered")
}

// The far side has given the near one up while the command was carried out, and has no answer yet.
func TestACommandIsAnsweredAlsoIfItTookLongerThanASilence(t *testing.T) {
	s, left, farm := impatientFar(t)
	first := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Second)
	farm.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(first).Err)

	tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Second)
	deaf(left)
	p, err := island.Import(s.far.bridge, "back", 1, letterCodec{})
	require.NoError(t, err)
	s.flow(time.Minute)
	require.ErrorIs(t, p.Err(), island.ErrSilent)
	left.Attach(s.near.bridge.Receive)
	s.flow(time.Minute)
	s.near.unanswered()
	farm.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err)
}

// What the near side takes from one life of the far one has been taken: not even answers.
func TestWhoAsksIsToldWhenNoAnswerCanBeTaken(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true, Backlog: 1 << 12})
	for k := range 1024 {
		_, err := island.Import(s.far.bridge, strings.Repeat("p", k+1), 1, letterCodec{})
		require.NoError(t, err)
	}
	s.flow(time.Second)
	tok := s.near.ask(island.ShutDown(island.Address{Island: 9, Incarnation: 9}, ""))
	s.flow(time.Minute)
	require.ErrorContains(t, s.near.answer(tok).Err, "too many streams")
}

// The near side has given its question up; the answer that comes after all is nobody's, and the
// next one in the same stream is somebody's.
func TestAnAnswerToAQuestionThatWasGivenUpTakesNoOtherAlong(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true, GiveUp: -1})
	left, _ := s.memory.Ends()
	s.near = newBank(t, s.clock, left, 10, island.BridgeConfig{GiveUp: time.Second})
	left.Attach(s.near.bridge.Receive)
	farm := newFarm(s, nil)
	tok := s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	deaf(left)
	s.flow(10 * time.Millisecond)
	farm.Poll()
	s.flow(time.Minute)
	require.ErrorIs(t, s.near.answer(tok).Err, island.ErrSilent)
	require.Equal(t, 1, farm.Inspect().Live(), "it was carried out")

	left.Attach(s.near.bridge.Receive)
	tok = s.near.ask(island.Spawn(farm.Address(), "plough", nil))
	s.flow(time.Minute)
	s.near.unanswered()
	farm.Poll()
	s.flow(time.Second)
	done := s.near.answer(tok)
	require.NoError(t, done.Err)
	require.EqualValues(t, 1, done.Value.(fiber.ID).Index(), "the answer is that of the second command")
}

// Both lives begin to count their questions anew.
func TestTheAnswerToAnEarlierLifeIsNotTakenForOneToTheLater(t *testing.T) {
	for name, ends := range map[string]func(*bank){
		"that said goodbye": func(b *bank) { b.Leave(errors.New("restart")) },
		"that vanished":     func(*bank) {},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true})
			farm := newFarm(s, errors.New("no field is free"))
			s.near.ask(island.Spawn(farm.Address(), "plough", nil))
			s.flow(10 * time.Millisecond)
			ends(s.near)
			s.flow(10 * time.Millisecond)

			left, _ := s.memory.Ends()
			s.near = newBank(t, s.clock, left, 10, island.BridgeConfig{})
			left.Attach(s.near.bridge.Receive)
			tok := s.near.ask(island.Spawn(farm.Address(), "refuse", nil))
			farm.Poll() // the first command alone has arrived
			s.flow(10 * time.Millisecond)
			s.near.unanswered()
			farm.Poll()
			s.flow(time.Second)
			require.ErrorContains(t, s.near.answer(tok).Err, "no field is free")
		})
	}
}

func TestARefusalIsOneWhateverItsWords(t *testing.T) {
	for name, refusal := range map[string]error{
		"none":                        errors.New(""),
		"more than a frame can carry": errors.New(strings.Repeat("no ", island.MaxFrame)),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true})
			farm := newFarm(s, refusal)
			tok := s.near.ask(island.Spawn(farm.Address(), "refuse", nil))
			s.flow(time.Millisecond)
			farm.Poll()
			s.flow(time.Second)
			require.ErrorAs(t, s.near.answer(tok).Err, new(*island.RemoteError))
		})
	}
}

// Whatever Request accepts arrives.
func TestACommandThatNoFrameCanCarryIsRefusedAtOnce(t *testing.T) {
	s := newStrait(t, 1, island.Faults{}, island.BridgeConfig{Commands: true})
	farm := newFarm(s, nil)
	carried, refused := 0, 0
	for size := island.MaxFrame - 120; size <= island.MaxFrame; size++ {
		cmd := island.Spawn(farm.Address(), "plough", make([]byte, size))
		s.near.spawn()
		tok, err := s.near.Ops().Submit()
		require.NoError(t, err)
		if err := s.near.bridge.Request(tok, cmd); err != nil {
			require.ErrorIs(t, err, island.ErrFrame)
			s.near.KillCurrent()
			refused++
			continue
		}
		require.Zero(t, refused, "a longer one was taken than one that was refused")
		s.near.BlockForIO(tok)
		s.flow(time.Millisecond)
		farm.Poll()
		s.flow(time.Millisecond)
		require.NoError(t, s.near.answer(tok).Err, "%d bytes", size)
		carried++
	}
	require.NotZero(t, carried)
	require.NotZero(t, refused)
}
