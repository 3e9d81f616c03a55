package scope

import (
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestAScopeEndsWhenItsLastFiberHas(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	one, two := g.worker(s, "one"), g.worker(s, "two")
	g.waits(s)
	g.ends(two, nil, nil)
	g.is("the owner", g.Inspect().State(s.Owner()), fiber.Blocked)
	g.mount(one)
	three := g.worker(s, "three") // by a fiber of the scope
	g.ends(one, nil, nil)
	g.is("the owner", g.Inspect().State(s.Owner()), fiber.Blocked)
	g.ends(three, nil, nil)
	g.is("ended", s.Ended(), true)
	g.resumes(s, fiber.OK)
	_, err := g.closes(s)
	g.must(err)
	_, err = s.Close()
	g.must(err)
	g.Exit(nil, nil)
	g.is("alive", g.Inspect().Live(), 0)
	_, err = s.Close() // by no fiber at all
	g.must(err)
}

func TestAScopeThatNobodyWasSpawnedIntoHasEnded(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	g.is("ended", s.Ended(), false)
	v, err := g.closes(s)
	g.is("value", v, nil)
	g.must(err)
}

func TestAScopeWhoseOwnerDoesNotWaitYetStaysOpen(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	g.ends(g.worker(s, "quick"), nil, nil)
	g.is("ended", s.Ended(), false)
	g.mount(s.Owner())
	late := g.worker(s, "late")
	g.waits(s)
	g.ends(late, nil, nil)
	g.resumes(s, fiber.OK)
}

func TestTheBodysResultIsTheScopesValue(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	body, err := SpawnBody(g.Scheduler, s, 0, scheduler.Options{})
	g.must(err)
	g.ends(g.worker(s, "worker"), "worker's", nil)
	g.ends(body.ID(), "body's", nil)
	v, err := g.closes(s)
	g.must(err)
	g.is("value", v, "body's")
}

func TestTheFirstFailureCancelsTheOthersInTheSameOperation(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{Name: "s"}, fiber.Never)
	blocked, ready, bad := g.worker(s, "blocked"), g.worker(s, "ready"), g.worker(s, "bad")
	outside := g.actor()
	g.sleep(blocked)
	g.waits(s)
	g.ends(bad, nil, errWhy)
	g.cancelled(errWhy, blocked, ready)
	g.cancelled(nil, s.Owner(), outside)
	g.is("woken", g.Inspect().State(blocked), fiber.Runnable)
	g.ends(ready, nil, errOther) // too late to decide
	g.obeys(blocked)
	_, err := g.closes(s)
	var f *Failure
	if !errors.As(err, &f) || f.Fiber != bad || f.Name != "bad" || f.Scope != "s" || f.Err != errWhy {
		t.Fatalf("the result is %v", err)
	}
	g.is("message", err.Error(), `scope "s": fiber f3.1 "bad" failed: why`)
	g.is("the failure is seen", g.cells[bad].Observed(), true)
	g.is("the later one is not", g.cells[ready].Observed(), false)
}

func TestAScopeIsCancelledInTheOrderOfSpawning(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{}, fiber.Never)
	var ids []fiber.ID
	for range 5 {
		ids = append(ids, g.worker(s, ""))
	}
	bad := g.worker(s, "bad")
	g.waits(s)
	for _, i := range []int{3, 0, 4, 1, 2} {
		g.sleep(ids[i])
	}
	g.ends(bad, nil, errWhy)
	for _, id := range ids {
		g.next(id)
		g.Exit(nil, g.Unwind().Cause(id))
	}
	g.closes(s)
}

func TestWaitAllCancelsNobodyAndReportsEveryFailure(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{Policy: WaitAll}, fiber.Never)
	a, b, c := g.worker(s, "a"), g.worker(s, "b"), g.worker(s, "c")
	g.ends(b, nil, errWhy)
	g.cancelled(nil, a, c)
	g.ends(a, nil, errOther)
	g.ends(c, nil, nil)
	_, err := g.closes(s)
	g.fails(err, errWhy)
	g.fails(err, errOther)
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 2 || !strings.Contains(lines[0], `"b"`) {
		t.Errorf("not in the order of the ends: %v", err)
	}
}

func TestTheFirstSuccessCancelsTheRestAndIsTheValue(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{Policy: AnySuccess}, fiber.Never)
	body, err := SpawnBody(g.Scheduler, s, 0, scheduler.Options{})
	g.must(err)
	bad, slow, quick := g.worker(s, "bad"), g.worker(s, "slow"), g.worker(s, "quick")
	g.ends(body.ID(), "of the body", nil)
	g.cancelled(nil, bad, slow, quick)
	g.ends(bad, nil, errWhy)
	g.cancelled(nil, slow, quick)
	g.ends(quick, "quick", nil)
	g.cancelled(ErrStopped, slow)
	g.ends(slow, "slow", nil)
	v, err := g.closes(s)
	g.must(err)
	g.is("value", v, "quick")
	g.is("the failure is seen", g.cells[bad].Observed(), true)
}

func TestWithoutASuccessTheResultIsEveryFailure(t *testing.T) {
	g := newStage(t, 0)
	s := g.open(Options{Policy: AnySuccess}, fiber.Never)
	g.ends(g.worker(s, "a"), nil, errWhy)
	g.mount(s.Owner())
	g.ends(g.worker(s, "b"), nil, errOther)
	_, err := g.closes(s)
	g.fails(err, errWhy)
	g.fails(err, errOther)
}

func TestAPanicFailsTheScopeUnlessItIsIsolated(t *testing.T) {
	for _, isolate := range []bool{false, true} {
		g := newStage(t, 0)
		s := g.open(Options{IsolatePanics: isolate}, fiber.Never)
		other, bad := g.worker(s, "other"), g.worker(s, "bad")
		g.mount(bad)
		g.Unwind().BeginPanic(panicstate.Recoverable, "boom", "here")
		g.Unwind().Panics().NextDefer() // there is none
		g.KillCurrent()
		g.is("cancelled", g.Unwind().Cause(other) != nil, !isolate)
		g.ends(other, nil, g.Unwind().Cause(other))
		_, err := g.closes(s)
		var p *scheduler.PanicError
		if !errors.As(err, &p) || p.Value != "boom" {
			t.Errorf("isolate %v: the result is %v", isolate, err)
		}
	}
}
