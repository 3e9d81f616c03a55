package scheduler

import (
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestACommandThatPanicsLosesNoneOfThoseBehindIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	sleeper := g.spawnRunning(Options{}).ID()
	ticket, _ := g.BlockForQueue()
	box := g.Inbox()
	for _, err := range []error{
		box.Do(func() { panic("the host's own") }),
		box.Deliver(ticket, fiber.Result{Code: fiber.OK}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	func() {
		defer func() {
			if r := recover(); r != "the host's own" {
				t.Fatalf("Poll panicked with %v", r)
			}
		}()
		g.Poll()
	}()
	if v := g.Steps().IdleVerdictWithReport(); v.Kind != Busy {
		t.Fatalf("the verdict is %v although a command waits", v.Kind)
	}
	if !g.Poll() || g.Inspect().State(sleeper) != fiber.Runnable {
		t.Fatalf("%v is %v: its wake is lost", sleeper, g.Inspect().State(sleeper))
	}
}

func TestAHookThatPanicsPoisonsAndIsNamed(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Ended: func(any, error) { panic("careless") }})
	broken := func(op string, call func()) {
		defer func() {
			err, _ := recover().(error)
			var violated *InvariantError
			if !errors.As(err, &violated) || !strings.Contains(err.Error(), "careless") {
				t.Errorf("%s: %v", op, err)
			}
		}()
		call()
	}
	broken("the exit", func() { g.KillCurrent() })
	broken("the poll after it", func() { g.Poll() })
	if g.Inspect().Poisoned() == nil {
		t.Error("the scheduler goes on with half an operation")
	}
}
