package scheduler

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
)

// almostUsedUp is a Config with n waits left before a run ends.
func almostUsedUp(n uint64) Config {
	return Config{Number: 7, FirstSequence: fiber.MaxSeq - reservedWaits + 1 - n}
}

// runLoop is the loop of a host, as the comment of Loop has it.
func runLoop(s *Scheduler[int], m Machine[int]) error {
	l := s.Steps().Begin(context.Background())
	defer l.Close()
	for {
		l.CheckStop()
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			for s.Finish(m.Resume(s, f)) {
			}
			if l.Stopping() {
				break
			}
		}
		if l.Stopping() || s.Poll() {
			continue
		}
		if over, err := l.Sleep(); over {
			return err
		}
	}
}

// sleeper sleeps as often as its payload says, a nanosecond each time.
func sleeper(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
	if s.Unwind().UnwindCause() != nil || f.Data == 0 {
		return fiber.Outcome{Kind: fiber.Done}
	}
	f.Data--
	s.Arm(fiber.Until(s.Now() + 1))
	return fiber.BlockOn(fiber.Until(0))
}

var loops = map[string]func(s *Scheduler[int], m Machine[int]) error{
	"Run":  func(s *Scheduler[int], m Machine[int]) error { return s.Run(context.Background(), m) },
	"Loop": runLoop,
}

func TestARunEndsBeforeItsWaitsAreUsedUp(t *testing.T) {
	for name, run := range loops {
		t.Run(name, func(t *testing.T) {
			s := New[int](almostUsedUp(10))
			slices := 0
			_, err := s.SpawnWith(1000, Options{Frames: true})
			require.NoError(t, err)
			machine := MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
				if s.Unwind().UnwindCause() == nil {
					slices++
					require.NoError(t, s.Attachments().WaitRoom())
				} else {
					require.ErrorIs(t, s.Unwind().UnwindCause(), ErrWaitsUsedUp)
				}
				return sleeper(s, f)
			})

			require.ErrorIs(t, run(s, machine), ErrWaitsUsedUp)
			require.Equal(t, 11, slices, "the last one begins with ten waits made, and leaves fewer than 2^20")
			require.ErrorIs(t, s.Attachments().WaitRoom(), ErrWaitsUsedUp)
			require.Zero(t, s.Inspect().Live())

			_, err = s.Spawn(1)
			require.NoError(t, err, "between two runs")
			require.ErrorIs(t, run(s, machine), ErrWaitsUsedUp)
			require.Equal(t, 11, slices, "a fiber began in a run that has no waits")
		})
	}
}

func TestARunThatNeedsNoMoreWaitsThanThereAreEndsWell(t *testing.T) {
	for name, run := range loops {
		s := New[int](almostUsedUp(10))
		_, err := s.Spawn(10)
		require.NoError(t, err)
		require.NoError(t, run(s, MachineFunc[int](sleeper)), name)
	}
}

// A pump is a loop inside a slice: it ends the call that waits, and lets no other fiber begin.
func TestAPumpEndsWhenTheWaitsAreUsedUp(t *testing.T) {
	for name, wait := range map[string]func(p *pumpScheduler){
		"Pump": func(p *pumpScheduler) {
			code, _ := p.wait(fiber.OnQueue().FromOutside(), nil)
			require.Equal(t, fiber.Killed, code)
		},
		"PumpTurn": func(p *pumpScheduler) {
			p.Arm(fiber.OnQueue())
			p.Disarm()
			p.Calls().PumpTurn(p)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPumpScheduler(t, almostUsedUp(0))
			p.spawnReady(Options{}, func() {
				p.call(func(fiber.TrampolineID) {
					wait(p)
					p.Calls().PumpTurn(p)
					require.ErrorIs(t, p.Unwind().UnwindCause(), ErrWaitsUsedUp)
				})
			})
			p.spawnReady(Options{}, func() {
				p.Arm(fiber.OnQueue())
				p.Disarm()
				require.NoError(t, p.Inbox().Do(func() {
					p.spawnReady(Options{}, func() { p.note("begins without a number for its waits") })
				}))
			})
			require.ErrorIs(t, p.Run(context.Background(), p), ErrWaitsUsedUp)
			p.wantNotes()
		})
	}
}

func TestTheFirstWaitHasTheNumberThatTheConfigSays(t *testing.T) {
	for first, want := range map[uint64]uint64{0: 1, 1: 1, 2: 2, fiber.MaxSeq: fiber.MaxSeq, fiber.MaxSeq + 1: fiber.MaxSeq} {
		g := newTestScheduler(t, Config{Number: 7, FirstSequence: first})
		g.spawnRunning(Options{})
		require.Equal(t, fiber.NewSeq(7, want), g.Arm(fiber.OnQueue()).Seq)
	}
}

// The main fiber may end in a poll of a pump, by a command; the pinned call is killed for it.
func TestAPumpWhoseRunEndsInAPollDoesNotRestFirst(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	main, err := p.SpawnWith(func() fiber.Outcome {
		p.Arm(fiber.OnQueue())
		return fiber.BlockOn(fiber.OnQueue())
	}, Options{Main: true})
	require.NoError(t, err)
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			require.NoError(t, p.Inbox().Kill(main.ID(), nil))
			code, _ := p.wait(fiber.OnQueue().FromOutside(), nil)
			require.Equal(t, fiber.Killed, code)
		})
	})
	require.Equal(t, ErrKilled, p.Run(t.Context(), p))
	require.Zero(t, p.Inspect().Live())
}
