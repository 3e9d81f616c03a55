package scheduler

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// A Fatal panic that a guest's engine raises is sticky: every poll reports it, no
// call begins, and no wait is entered, whatever the guest does.
func TestAFatalPanicIsReportedAtEveryPollAndRefusesCallsAndWaits(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.Unwind().BeginPanic(panicstate.Fatal, "engine broken", "here")
	for range 2 {
		var p *PanicError
		if code, err := g.TakeInterrupt(); code != fiber.Killed || !errors.As(err, &p) || p.Value != "engine broken" {
			t.Fatalf("a poll is told %v, %v", code, err)
		}
		if err := g.Unwind().UnwindCause(); !errors.As(err, &p) || p.Site != "here" {
			t.Fatalf("its unwind cause is %v", err)
		}
		if _, err := g.AcquireTrampoline(); err == nil {
			t.Fatal("a call began")
		}
		g.Arm(fiber.OnQueue())
		if how := g.Block(); how != Interrupted {
			t.Fatalf("a wait is %v", how)
		}
	}
	if _, err := g.KillCurrent(); err == nil {
		t.Error("the fiber ended well")
	}
}

func TestWhatElseWentWrongWhileAFatalPanicUnwoundIsNotSwallowed(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.Unwind().BeginPanic(panicstate.Fatal, "engine broken", "here")
	g.SetResult(nil, errWhy)
	var p *PanicError
	if _, err := g.KillCurrent(); !errors.Is(err, errWhy) || !errors.As(err, &p) || p.Value != "engine broken" {
		t.Errorf("the fiber ended with %v", err)
	}
}

func TestAFatalPanicWithAnErrorThatCannotBeComparedEndsItsFiber(t *testing.T) {
	for name, thrown := range uncomparables {
		g := newTestScheduler(t, Config{})
		g.spawnRunning(Options{})
		g.Unwind().BeginPanic(panicstate.Fatal, thrown, "here")
		g.SetResult(nil, fmt.Errorf("unwound: %w", thrown))
		var p *PanicError
		if _, err := g.KillCurrent(); !errors.As(err, &p) || p.Value == nil {
			t.Errorf("%s: the fiber ended with %v", name, err)
		}
	}
}

// Weaker panics are the guest's own business.
func TestAPanicThatIsNotFatalInterruptsNothing(t *testing.T) {
	for _, kind := range []panicstate.Kind{panicstate.Recoverable, panicstate.Exit} {
		g := newTestScheduler(t, Config{})
		g.spawnRunning(Options{})
		g.Unwind().BeginPanic(kind, "oops", "here")
		if code, err := g.TakeInterrupt(); code != fiber.Pending || err != nil || g.Unwind().UnwindCause() != nil {
			t.Errorf("%v: a poll is told %v, %v; unwind cause %v", kind, code, err, g.Unwind().UnwindCause())
		}
	}
}
