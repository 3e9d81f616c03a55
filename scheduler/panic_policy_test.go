package scheduler

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

var panicked = fiber.Outcome{Kind: fiber.Panic}

// runThree runs three fibers, the middle one of which ends by a panic.
func runThree(t *testing.T, policy panicstate.Policy, end func(*Scheduler[int]) fiber.Outcome) (ends []error, run error) {
	s := New[int](Config{})
	ends = make([]error, 3)
	for n := range 3 {
		o := Options{Ended: func(_ any, err error) { ends[n] = err }}
		if n == 1 {
			o.OnPanic = policy
		}
		if _, err := s.SpawnWith(n, o); err != nil {
			t.Fatal(err)
		}
	}
	run = s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		switch _, r := s.Claim(); {
		case f.Data == 1:
			return end(s)
		case r.Code == fiber.OK:
			return done
		}
		return fiber.BlockOn(fiber.Until(5))
	}))
	s.Inspect().Verify()
	if s.Inspect().Live() != 0 {
		t.Errorf("%d fibers are alive", s.Inspect().Live())
	}
	return ends, run
}

var panickingEnds = map[string]func(*Scheduler[int]) fiber.Outcome{
	"the machine's panic": func(s *Scheduler[int]) fiber.Outcome {
		s.Unwind().BeginPanic(panicstate.Recoverable, errWhy, "here")
		s.Unwind().Panics().NextDefer()
		return done
	},
	"a fatal one": func(s *Scheduler[int]) fiber.Outcome {
		s.Unwind().BeginPanic(panicstate.Fatal, errWhy, "here")
		return panicked
	},
	"one of the host's own": func(s *Scheduler[int]) fiber.Outcome {
		s.SetResult(nil, errWhy)
		return panicked
	},
}

func TestAPanicThatFailsTheRunIsWhatTheRunEndsWith(t *testing.T) {
	for name, end := range panickingEnds {
		t.Run(name, func(t *testing.T) {
			ends, run := runThree(t, panicstate.FailRun, end)
			if !errors.Is(run, errWhy) || !errors.Is(ends[1], errWhy) {
				t.Errorf("the run ended with %v, the fiber with %v", run, ends[1])
			}
			for _, n := range []int{0, 2} {
				if !errors.Is(ends[n], ErrKilled) || !errors.Is(ends[n], errWhy) {
					t.Errorf("fiber %d ended with %v", n, ends[n])
				}
			}
		})
	}
}

func TestAPanicIsItsOwnFibersEndUnlessItFailsTheRun(t *testing.T) {
	for _, policy := range []panicstate.Policy{panicstate.Isolate, panicstate.FailGroup} {
		for name, end := range panickingEnds {
			t.Run(policy.String()+"/"+name, func(t *testing.T) {
				ends, run := runThree(t, policy, end)
				if run != nil || !errors.Is(ends[1], errWhy) || ends[0] != nil || ends[2] != nil {
					t.Errorf("the run ended with %v, the fibers with %v", run, ends)
				}
			})
		}
	}
}

func TestAPanicOfAKilledFiberDoesNotFailTheRun(t *testing.T) {
	ends, run := runThree(t, panicstate.FailRun, func(s *Scheduler[int]) fiber.Outcome {
		s.SetResult(nil, errors.New("while it unwound"))
		if err := s.Kill(s.Current(), errWhy); err != nil {
			return done
		}
		return panicked
	})
	if run != nil || !errors.Is(ends[1], ErrKilled) {
		t.Errorf("the run ended with %v, the fiber with %v", run, ends[1])
	}
}

func TestAPanicUnderAPumpFailsTheRunTheCallerIsIn(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			code, err := p.wait(fiber.OnQueue(), nil)
			p.note("%v, %v", code, err)
		})
	})
	peer := p.spawnReady(Options{OnPanic: panicstate.FailRun}, nil)
	f, _ := p.Fiber(peer)
	f.Data = func() fiber.Outcome { p.SetResult(nil, errWhy); return panicked }
	if err := p.Run(context.Background(), p); !errors.Is(err, errWhy) || p.Inspect().Live() != 0 {
		t.Errorf("the run ended with %v, %d alive", err, p.Inspect().Live())
	}
	p.wantNotes("killed, <nil>")
}
