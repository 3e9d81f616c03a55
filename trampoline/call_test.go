package trampoline_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

func TestACalleeThatWaitsGoesOnInEveryWay(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		var told []string
		var ticket fiber.Ticket
		claim := func() { _, res := r.Claim(); told = append(told, res.Code.String()) }
		caller := fiber.RegularID(0)
		caller = r.spawn(&steps{
			func() fiber.Outcome { return fiber.Outcome{Kind: fiber.FrameChanged} },
			func() fiber.Outcome { return fiber.BlockOn(fiber.Until(5)) },
			func() fiber.Outcome { claim(); return expired },
			func() fiber.Outcome {
				r.peer(func() { r.Deliver(ticket, fiber.Result{Code: fiber.OK}) })
				ticket = r.Arm(fiber.OnQueue())
				return fiber.BlockOn(fiber.OnQueue())
			},
			func() fiber.Outcome { claim(); return fiber.BlockOn(fiber.OnQueue().WithDeadline(9)) },
			func() fiber.Outcome { claim(); return fiber.Replace(fiber.Point{}) },
			func() fiber.Outcome {
				told = append(told, "in the call: "+r.Inspect().Executing().String())
				return done
			},
		}, func(err error) {
			if r.Current() != caller.ID() || r.Inspect().Executing() != caller.ID() || err != nil {
				t.Errorf("after the call %v executes above %v: %v", r.Inspect().Executing(), r.Current(), err)
			}
			told = append(told, r.Now().String())
		})
		r.run()
		if want := []string{"ok", "ok", "timeout", "in the call: t0.1", "9ns"}; !slices.Equal(told, want) {
			t.Errorf("told %q, not %q", told, want)
		}
	})
}

// The value passes to the caller, late enough for its deferred calls; what the callee had
// deferred, and how often it had panicked, does not.
func TestAPanicPassesToTheCallerWithItsGenerationAndNothingElse(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		cause := errors.New("out of range")
		r.spawn(&steps{func() fiber.Outcome {
			p := r.Unwind().Panics()
			for frame := range 3 { // generations 1 to 3, each in a deferred call of the one before
				p.Defer(frame, "the callee's own")
				r.Unwind().BeginPanic(panicstate.Recoverable, cause, "guest:7")
				p.NextDefer()
			}
			r.Unwind().BeginPanic(panicstate.Recoverable, cause, "guest:7")
			for _, more := p.NextDefer(); more; _, more = p.NextDefer() {
			}
			return failed
		}}, func(err error) {
			var p *scheduler.PanicError
			if !errors.As(err, &p) || p.Value != cause || p.Site != "guest:7" {
				t.Errorf("the call ended with %v", err)
			}
			active, _ := r.Unwind().Panics().Active()
			if r.Unwind().Panics().Phase() != panicstate.Unwinding || active.Value != cause || active.Generation < 4 {
				t.Errorf("the caller is %v with %+v", r.Unwind().Panics().Phase(), active)
			}
			d, ok := r.Unwind().Panics().NextDefer()
			if v, recovered := r.Unwind().Recover(1); !ok || d.Call != "tidy" || !recovered || v != cause {
				t.Errorf("the caller's deferred call is %v, it recovered %v", d, v)
			}
			if step, _ := r.Unwind().Panics().EndDefer(); step != panicstate.Recovered {
				t.Errorf("the caller goes on with %v", step)
			}
		})
		r.Poll()
		r.ScheduleNext()
		r.Unwind().Panics().Defer(0, "tidy")
		r.YieldCurrent()
		r.run()
	})
}

func TestAKilledFibersCalleeIsDroppedAndItsNativeCodeTold(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		why := errors.New("no longer needed")
		var told error
		victim := r.spawn(&steps{
			func() fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) },
			func() fiber.Outcome { t.Error("stepped after the kill"); return done },
		}, func(err error) { told = err })
		r.peer(func() {
			if err := r.Kill(victim.ID(), why); err != nil {
				t.Error(err)
			}
		})
		r.run()
		if !errors.Is(told, scheduler.ErrKilled) || !errors.Is(told, why) {
			t.Errorf("native code was told %v", told)
		}
	})
}

func TestAWaitThatNothingCanEndIsTheCallsOwnOnlyWhereItNests(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		var told error
		r.spawn(&steps{func() fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) }}, func(err error) { told = err })
		var deadlock *scheduler.DeadlockError
		err := r.Run(context.Background(), r)
		if r.way == trampoline.Nesting {
			if !errors.As(told, &deadlock) || err != error(deadlock) || r.Inspect().Live() != 0 {
				t.Errorf("the run ended with %v, the call with %v, %d fibers are alive", err, told, r.Inspect().Live())
			}
			return
		}
		if !errors.As(err, &deadlock) || told != nil {
			t.Errorf("the run ended with %v, the call with %v", err, told)
		}
		r.Steps().KillAll(nil)
		r.run()
	})
}

// The host's code panics: the trampoline is released on the way, its wait taken back, the fiber
// ends with its run, and the panic is not touched.
func TestAGoPanicPassesThroughACallAndReleasesIt(t *testing.T) {
	inEveryWay(t, scheduler.Config{}, func(r *fixture) {
		r.spawn(&steps{func() fiber.Outcome { r.Arm(fiber.OnQueue().WithDeadline(3)); panic("boom") }}, nil)
		func() {
			defer func() {
				if v := recover(); v != "boom" {
					t.Errorf("the run panicked with %v", v)
				}
			}()
			_ = r.Run(context.Background(), r)
		}()
		if r.Current() != 0 || r.Inspect().LiveTrampolines() != 0 {
			t.Errorf("%v is current, %d calls are left", r.Current(), r.Inspect().LiveTrampolines())
		}
		r.run()
	})
}
