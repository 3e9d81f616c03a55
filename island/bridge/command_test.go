package bridge_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/bridge"
	"github.com/selvage-dev/selvage/island/bridge/memwire"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// newWorker is an island beside the far side; it serves commands only when the test polls it.
func newWorker(s *pair, refusal error) *islandtest.Stepped {
	var worker *islandtest.Stepped
	worker = islandtest.JoinWith(s.far.T, s.far.registry, s.clock, island.Config{Name: "worker", Programs: map[string]func([]byte) (fiber.RegularID, error){
		"start":  func([]byte) (fiber.RegularID, error) { return worker.Spawn(0) },
		"refuse": func([]byte) (fiber.RegularID, error) { return 0, refusal },
	}})
	return worker
}

// ask has a new fiber ask over the bridge and wait for the answer.
func (b *side) ask(cmd island.Command) fiber.Token {
	b.SpawnCurrent()
	tok, err := b.Ops().Submit()
	require.NoError(b.T, err)
	require.NoError(b.T, b.bridge.Request(tok, cmd))
	b.BlockForIO(tok)
	return tok
}

// answer ends the one fiber whose question was answered, and gives what it was told.
func (b *side) answer(tok fiber.Token) ioqueue.Completion {
	b.T.Helper()
	b.Poll()
	require.NotNil(b.T, b.ScheduleNext(), "no request was answered")
	b.Claim()
	done, ok := b.Ops().Completion(tok)
	require.True(b.T, ok, "another request was answered")
	b.KillCurrent()
	return done
}

// unanswered fails if a request was answered.
func (b *side) unanswered() {
	b.T.Helper()
	b.Poll()
	require.False(b.T, b.HasWork(), "a request was answered")
}

// loseAll loses all frames to this end, until it is attached again.
func loseAll(e *memwire.End) { e.Attach(func([]byte) {}) }

// newPairWithFarTimeout is a pair whose far side gives the near one up after a second, which never does
// the same.
func newPairWithFarTimeout(t *testing.T) (s *pair, left *memwire.End, worker *islandtest.Stepped) {
	s = newPair(t, 1, memwire.Faults{}, bridge.Config{Timeout: -1})
	left, right := s.memory.Ends()
	s.far = newSide(t, s.clock, right, 100, bridge.Config{AllowCommands: true, Timeout: time.Second})
	right.Attach(s.far.bridge.Receive)
	return s, left, newWorker(s, nil)
}

// The command has arrived, so nothing is on its way that could be unanswered.
func TestARequestFailsIfThePeerVanishesAfterItTookTheCommand(t *testing.T) {
	for name, vanish := range map[string]func(s *pair){
		"nothing passes any more": func(s *pair) { s.memory.Partition(true) },
		"only this side receives nothing": func(s *pair) {
			left, _ := s.memory.Ends()
			loseAll(left)
		},
		"a new life is there that says nothing": func(s *pair) {
			_, right := s.memory.Ends()
			s.far = newSide(s.far.T, s.clock, right, 200, bridge.Config{AllowCommands: true})
			right.Attach(s.far.bridge.Receive)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true})
			worker := newWorker(s, nil)
			tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
			s.flow(time.Second)
			vanish(s)
			s.flow(bridge.DefaultTimeout - 2*time.Second)
			s.near.unanswered()
			s.flow(4 * time.Second)
			require.ErrorIs(t, s.near.answer(tok).Err, bridge.ErrTimeout)
			require.Equal(t, fiber.Never, s.near.bridge.Next(), "nothing is open any more")
		})
	}
}

func TestALivingPeerMayAnswerLate(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true})
	worker := newWorker(s, nil)
	_, right := s.memory.Ends()
	sent := 0
	right.Attach(func(f []byte) { sent++; s.far.bridge.Receive(f) })
	tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Hour)
	s.near.unanswered()
	require.LessOrEqual(t, sent, 3610, "it asks once a second whether the other side lives")
	worker.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err)

	sent = 0
	require.Equal(t, fiber.Never, s.near.bridge.Next(), "nothing is open any more")
	require.Equal(t, fiber.Never, s.far.bridge.Next())
	s.flow(time.Hour)
	require.Zero(t, sent)
}

// An hour later the last that was asked while the command was carried out is not what makes the
// other side silent.
func TestTheTimeoutOfARequestBeginsWithIt(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true})
	worker := newWorker(s, nil)
	tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Second)
	_, right := s.memory.Ends()
	loseAll(right)
	s.flow(2 * time.Second) // the polls of that time were lost
	worker.Poll()
	s.flow(time.Millisecond)
	require.NoError(t, s.near.answer(tok).Err)
	right.Attach(s.far.bridge.Receive)
	s.flow(time.Second) // the answer that arrived is acknowledged
	s.clock.Advance(s.clock.Now().After(time.Hour))

	tok = s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Second)
	worker.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err)
}

// Whatever the transport does, and whichever side times out: every request is answered, and no two
// with the same fiber.
func TestEveryRequestOverABridgeIsAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chance := rapid.Float64Range(0, 0.5)
		s := newPair(t, rapid.Uint64().Draw(rt, "seed"), memwire.Faults{Drop: chance.Draw(rt, "drop"),
			Duplicate: chance.Draw(rt, "duplicate"), Delay: chance.Draw(rt, "delay")}, bridge.Config{})
		left, right := s.memory.Ends()
		giveUp := rapid.SampledFrom([]time.Duration{time.Second, 3 * time.Second})
		s.near = newSide(t, s.clock, left, 10, bridge.Config{Timeout: giveUp.Draw(rt, "near gives up")})
		s.far = newSide(t, s.clock, right, 100, bridge.Config{Timeout: giveUp.Draw(rt, "far gives up"), AllowCommands: true})
		worker := newWorker(s, nil)
		attach := func(e *memwire.End, b *side, what string) {
			if e.Attach(b.bridge.Receive); rapid.IntRange(0, 3).Draw(rt, what) == 0 {
				loseAll(e)
			}
		}
		asked := map[int]fiber.Token{}
		for range rapid.IntRange(1, 20).Draw(rt, "turns") {
			attach(left, s.near, "near is loseAll")
			attach(right, s.far, "far is loseAll")
			if len(asked) < 10 && !s.near.HasWork() {
				tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
				asked[len(asked)] = tok
			}
			s.flow(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "ms")) * time.Millisecond)
			if rapid.Bool().Draw(rt, "the worker works") {
				worker.Poll()
			}
		}
		for range 10 {
			worker.Poll()
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
		require.Equal(rt, fiber.Never, s.near.bridge.Next(), "nothing is open any more")
	})
}

// The far side gives the near one up with answers on their way, which are lost. The near side
// was never in doubt about the far one.
func TestARequestFailsIfItsAnswerIsLost(t *testing.T) {
	s, left, worker := newPairWithFarTimeout(t)
	tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Millisecond)
	loseAll(left)
	worker.Poll()
	s.flow(time.Minute)
	s.near.unanswered()
	left.Attach(s.near.bridge.Receive)
	s.flow(time.Minute)
	err := s.near.answer(tok).Err
	require.ErrorContains(t, err, "does not answer")
	require.ErrorIs(t, err, bridge.ErrRemote)

	tok = s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Second)
	worker.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err, "the next is answered")
}

// The far side has given the near one up while the command was carried out, and has no answer yet.
func TestACommandThatOutlastsATimeoutIsAnswered(t *testing.T) {
	s, left, worker := newPairWithFarTimeout(t)
	first := s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Second)
	worker.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(first).Err)

	tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Second)
	loseAll(left)
	p, err := bridge.Import(s.far.bridge, "back", 1, messageCodec{})
	require.NoError(t, err)
	s.flow(time.Minute)
	require.ErrorIs(t, p.Err(), bridge.ErrTimeout)
	left.Attach(s.near.bridge.Receive)
	s.flow(time.Minute)
	s.near.unanswered()
	worker.Poll()
	s.flow(time.Second)
	require.NoError(t, s.near.answer(tok).Err)
}

// What the near side takes from one life of the far one has been taken: not even answers.
func TestARequestFailsIfThereAreTooManyStreams(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true, Backlog: 1 << 12})
	for k := range 1024 {
		_, err := bridge.Import(s.far.bridge, strings.Repeat("p", k+1), 1, messageCodec{})
		require.NoError(t, err)
	}
	s.flow(time.Second)
	tok := s.near.ask(island.Shutdown(island.Address{Island: 9, Incarnation: 9}, ""))
	s.flow(time.Minute)
	require.ErrorContains(t, s.near.answer(tok).Err, "too many streams")
}

// The request of the near side has timed out. Its late answer is ignored, and the next answer in
// the same stream completes the next request.
func TestAnAnswerToAFailedRequestIsIgnored(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true, Timeout: -1})
	left, _ := s.memory.Ends()
	s.near = newSide(t, s.clock, left, 10, bridge.Config{Timeout: time.Second})
	left.Attach(s.near.bridge.Receive)
	worker := newWorker(s, nil)
	tok := s.near.ask(island.Spawn(worker.Address(), "start", nil))
	loseAll(left)
	s.flow(10 * time.Millisecond)
	worker.Poll()
	s.flow(time.Minute)
	require.ErrorIs(t, s.near.answer(tok).Err, bridge.ErrTimeout)
	require.Equal(t, 1, worker.Inspect().Live(), "it was carried out")

	left.Attach(s.near.bridge.Receive)
	tok = s.near.ask(island.Spawn(worker.Address(), "start", nil))
	s.flow(time.Minute)
	s.near.unanswered()
	worker.Poll()
	s.flow(time.Second)
	done := s.near.answer(tok)
	require.NoError(t, done.Err)
	require.EqualValues(t, 1, done.Value.(fiber.ID).Index(), "the answer is that of the second command")
}

// Both lives begin to count their questions anew.
func TestAnAnswerToAnEarlierIncarnationIsIgnored(t *testing.T) {
	for name, ends := range map[string]func(*side){
		"that said goodbye": func(b *side) { b.Leave(errors.New("restart")) },
		"that vanished":     func(*side) {},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true})
			worker := newWorker(s, errors.New("out of room"))
			s.near.ask(island.Spawn(worker.Address(), "start", nil))
			s.flow(10 * time.Millisecond)
			ends(s.near)
			s.flow(10 * time.Millisecond)

			left, _ := s.memory.Ends()
			s.near = newSide(t, s.clock, left, 10, bridge.Config{})
			left.Attach(s.near.bridge.Receive)
			tok := s.near.ask(island.Spawn(worker.Address(), "refuse", nil))
			worker.Poll() // the first command alone has arrived
			s.flow(10 * time.Millisecond)
			s.near.unanswered()
			worker.Poll()
			s.flow(time.Second)
			require.ErrorContains(t, s.near.answer(tok).Err, "out of room")
		})
	}
}

func TestARefusalIsRecognizedWhateverItsText(t *testing.T) {
	for name, refusal := range map[string]error{
		"none":                        errors.New(""),
		"more than a frame can carry": errors.New(strings.Repeat("no ", bridge.MaxFrame)),
	} {
		t.Run(name, func(t *testing.T) {
			s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true})
			worker := newWorker(s, refusal)
			tok := s.near.ask(island.Spawn(worker.Address(), "refuse", nil))
			s.flow(time.Millisecond)
			worker.Poll()
			s.flow(time.Second)
			require.ErrorIs(t, s.near.answer(tok).Err, bridge.ErrRemote)
		})
	}
}

// Whatever Request accepts arrives.
func TestACommandThatIsTooLongForAFrameIsRefused(t *testing.T) {
	s := newPair(t, 1, memwire.Faults{}, bridge.Config{AllowCommands: true})
	worker := newWorker(s, nil)
	carried, refused := 0, 0
	for size := bridge.MaxFrame - 120; size <= bridge.MaxFrame; size++ {
		cmd := island.Spawn(worker.Address(), "start", make([]byte, size))
		s.near.SpawnCurrent()
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
		worker.Poll()
		s.flow(time.Millisecond)
		require.NoError(t, s.near.answer(tok).Err, "%d bytes", size)
		carried++
	}
	require.NotZero(t, carried)
	require.NotZero(t, refused)
}
