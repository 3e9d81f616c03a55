package scheduler

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/panicstate"
)

// An observer receives an inlined transition when the next one begins. To begin yet another there
// is the mistake that it is anywhere.
func TestAnObserverThatCallsTheSchedulerIsRefused(t *testing.T) {
	var s *Scheduler[int]
	yields := 0
	s = New[int](Config{Observer: func(tr Transition) {
		if tr.Op == op.Yield {
			yields++
			_ = s.Kill(tr.ID, nil)
		}
	}})
	if _, err := s.Spawn(0); err != nil {
		t.Fatal(err)
	}
	s.Poll()
	if s.ScheduleNext() == nil {
		t.Fatal("no fiber is ready")
	}
	var broken *InvariantError
	func() {
		defer func() { broken, _ = recover().(*InvariantError) }()
		s.YieldCurrent()
		s.Poll()
		s.Steps().IdleVerdictWithReport()
	}()
	if broken == nil || !strings.Contains(broken.Found, "Kill breaks rule ONE-OWNER") || yields != 1 {
		t.Fatalf("%v; %d yields were observed", broken, yields)
	}
}

// A Fatal panic changes what the fiber may do; one that can be recovered is the host's own.
func TestAnObserverSeesOnlyFatalPanics(t *testing.T) {
	var heard []Transition
	g := newTestScheduler(t, Config{Observer: func(tr Transition) {
		if tr.Op == op.Panic {
			heard = append(heard, tr)
		}
	}})
	id := g.spawnRunning(Options{})
	g.Unwind().BeginPanic(panicstate.Recoverable, 1, "here")
	g.Unwind().BeginPanic(panicstate.Fatal, 2, "there")
	if len(heard) != 1 || heard[0].ID != id.ID() || heard[0].Answer != panicstate.Fatal.String() {
		t.Errorf("heard %+v", heard)
	}
}
