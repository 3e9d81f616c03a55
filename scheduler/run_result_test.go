package scheduler

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// drivers are the two ways to run fibers: by Run, and by a loop of the host's own.
var drivers = map[string]func(context.Context, *Scheduler[int], Machine[int]) error{
	"Run": func(ctx context.Context, s *Scheduler[int], m Machine[int]) error { return s.Run(ctx, m) },
	"Loop": func(ctx context.Context, s *Scheduler[int], m Machine[int]) error {
		l := s.Steps().Begin(ctx)
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
			if over, err := l.Finished(s.Steps().IdleVerdictWithReport()); over {
				return err
			}
		}
	},
}

var isPanicError = func(err error) bool { return errors.As(err, new(*PanicError)) }

// exits unwinds the current fiber with an Exit panic.
func exits(s *Scheduler[int], value any) fiber.Outcome {
	s.Unwind().BeginPanic(panicstate.Exit, value, "here")
	s.Unwind().Panics().NextDefer()
	return panicked
}

// unwindsCancel blocks, and unwinds when the fiber is cancelled.
func unwindsCancel(s *Scheduler[int], main fiber.ID) fiber.Outcome {
	if _, r := s.Claim(); r.Code != fiber.Cancelled {
		return fiber.BlockOn(fiber.OnQueue())
	}
	return exits(s, s.Unwind().Cause(main))
}

var mainEnds = map[string]struct {
	policy panicstate.Policy
	main   func(s *Scheduler[int], main fiber.ID) fiber.Outcome
	peer   func(s *Scheduler[int], main fiber.ID)
	want   func(error) bool
}{
	"it returns": {
		main: func(*Scheduler[int], fiber.ID) fiber.Outcome { return done },
		want: func(err error) bool { return err == nil },
	},
	"it has an error": {
		main: func(s *Scheduler[int], _ fiber.ID) fiber.Outcome { s.SetResult(nil, errWhy); return done },
		want: func(err error) bool { return err == errWhy },
	},
	"it panics": {
		main: func(s *Scheduler[int], _ fiber.ID) fiber.Outcome { return panickingEnds["the machine's panic"](s) },
		want: isPanicError,
	},
	"the host panics for it": {
		main: func(s *Scheduler[int], _ fiber.ID) fiber.Outcome {
			s.SetResult(nil, &PanicError{Value: "boom"})
			return panicked
		},
		want: isPanicError,
	},
	"it exits by a panic of the guest's": {
		main: func(s *Scheduler[int], _ fiber.ID) fiber.Outcome { return exits(s, "exit status 3") },
		want: isPanicError,
	},
	"it unwinds its cancellation": {
		main: unwindsCancel,
		peer: func(s *Scheduler[int], main fiber.ID) { _ = s.Cancel(main, errWhy) },
		want: func(err error) bool { return err == errWhy },
	},
	"it unwinds its cancellation, and its panic fails the run": {
		policy: panicstate.FailRun,
		main:   unwindsCancel,
		peer:   func(s *Scheduler[int], main fiber.ID) { _ = s.Cancel(main, nil) },
		want:   func(err error) bool { return err == ErrCancelled },
	},
	"it is killed while it waits": {
		main: unwindsCancel,
		peer: func(s *Scheduler[int], main fiber.ID) { _ = s.Kill(main, errWhy) },
		want: func(err error) bool { return errors.Is(err, ErrKilled) && errors.Is(err, errWhy) },
	},
	"it is killed while it is ready": {
		main: func(*Scheduler[int], fiber.ID) fiber.Outcome { return expired },
		peer: func(s *Scheduler[int], main fiber.ID) { _ = s.Kill(main, nil) },
		want: func(err error) bool { return err == ErrKilled },
	},
}

// Run returns the main fiber's error unchanged, and the others are killed for it.
func TestTheErrorOfTheMainFiberIsThatOfTheRun(t *testing.T) {
	for how, end := range mainEnds {
		for name, drive := range drivers {
			t.Run(how+"/"+name, func(t *testing.T) {
				s := New[int](Config{})
				var ends [3]error
				main := fiber.ID(0)
				for n := range 3 {
					id, err := s.SpawnWith(n, Options{Main: n == 0, OnPanic: end.policy, Ended: func(_ any, err error) { ends[n] = err }})
					if err != nil {
						t.Fatal(err)
					}
					if n == 0 {
						main = id.ID()
					}
				}
				err := drive(t.Context(), s, MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
					switch {
					case f.Data == 0:
						return end.main(s, main)
					case f.Data == 1 && end.peer != nil:
						end.peer(s, main)
					}
					return fiber.BlockOn(fiber.OnQueue())
				}))
				if !end.want(err) || err != ends[0] || s.Inspect().Live() != 0 {
					t.Fatalf("the run ended with %v, the main fiber with %v; %d are alive", err, ends[0], s.Inspect().Live())
				}
				cause := err
				if err == nil {
					cause = ErrMainReturned
				}
				for _, of := range ends[1:] {
					if !errors.Is(of, ErrKilled) || !errors.Is(of, cause) {
						t.Errorf("a peer ended with %v", of)
					}
				}
				if _, err := s.Spawn(0); err != nil || s.Run(t.Context(), MachineFunc[int](func(*Scheduler[int], *Fiber[int]) fiber.Outcome { return done })) != nil {
					t.Errorf("the next run fails: %v", err)
				}
			})
		}
	}
}

func TestTheFirstMainFiberThatEndsCounts(t *testing.T) {
	s := New[int](Config{})
	for n := range 2 {
		if _, err := s.SpawnWith(n, Options{Main: true}); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Run(t.Context(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data == 1 {
			s.SetResult(nil, errWhy)
			return done
		}
		return expired // and is killed for the other
	}))
	if err != errWhy {
		t.Errorf("the run ended with %v", err)
	}
}

// The others are killed for the end of the main fiber, which is no failure of theirs.
func TestAMainFiberThatOutlivesItsGracePeriodIsTheOnlyFailure(t *testing.T) {
	var told []*UnobservedError
	s := New[int](Config{Grace: 50, Unobserved: func(e *UnobservedError) { told = append(told, e) }})
	for n := range 2 {
		if _, err := s.SpawnWith(n, Options{Main: n == 0}); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Run(t.Context(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data == 0 {
			_ = s.Cancel(s.Current(), nil)
			s.TakeInterrupt()
		}
		return fiber.BlockOn(fiber.OnQueue())
	}))
	if !errors.Is(err, ErrGraceOver) || len(told) > 0 {
		t.Errorf("the run ended with %v, and %v is reported", err, told)
	}
}

// A verdict of a pump counts in the run that it belongs to, and in no other.
func TestARunDoesNotEndWithTheVerdictOfAnEarlierPump(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) { _, _ = p.wait(fiber.OnQueue(), nil) })
	})
	for p.Poll() { // the host drives it, without a run
		for p.Calls().slice(p) {
		}
	}
	p.spawnReady(Options{}, func() {})
	if err := p.Run(t.Context(), p); err != nil {
		t.Errorf("the run ended with %v", err)
	}
}

// Of the verdicts in one run the first is its result, however many follow; only a run that is
// deadlocked itself ends with its own, because its fibers are left.
func TestARunEndsWithTheFirstVerdictOfItsPumps(t *testing.T) {
	for _, deadlocked := range []bool{false, true} {
		p := newPumpScheduler(t, Config{})
		var verdicts []error
		for range 3 {
			p.spawnReady(Options{}, func() {
				p.call(func(fiber.TrampolineID) {
					_, err := p.wait(fiber.OnQueue(), nil)
					verdicts = append(verdicts, err)
				})
			})
		}
		if deadlocked {
			if _, err := p.Spawn(func() fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) }); err != nil {
				t.Fatal(err)
			}
		}
		err := p.Run(t.Context(), p)
		var own *DeadlockError
		switch {
		case len(verdicts) != 3 || verdicts[0] == nil || verdicts[0] == verdicts[1]:
			t.Fatalf("the calls ended with %v", verdicts)
		case !deadlocked && err != verdicts[0]:
			t.Errorf("the run ended with %v", err)
		case deadlocked && (!errors.As(err, &own) || len(own.Report.Fibers) != 1 || p.Inspect().Live() != 1):
			t.Errorf("the run ended with %v, and %d fibers are alive", err, p.Inspect().Live())
		}
	}
}
