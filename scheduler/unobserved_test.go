package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

var errBoom = errors.New("boom")

// failureRecorder is a testScheduler that records the failures it is given.
type failureRecorder struct {
	*testScheduler
	told []string
}

func newFailureRecorder(t *testing.T, cfg Config) *failureRecorder {
	l := new(failureRecorder)
	cfg.Unobserved = func(e *UnobservedError) { l.told = append(l.told, e.Error()) }
	l.testScheduler = newTestScheduler(t, cfg)
	return l
}

// fails spawns a fiber with a cell and ends it with the error.
func (l *failureRecorder) fails(name string, err error) *ioqueue.Cell {
	cell := new(ioqueue.Cell)
	l.spawnRunning(Options{Name: name, Cell: cell})
	l.Exit("half a result", err)
	return cell
}

func (l *failureRecorder) wantFailures(want ...string) {
	l.t.Helper()
	if !slices.Equal(l.told, want) {
		l.t.Fatalf("told: %q, not %q", l.told, want)
	}
}

func TestAFailureWithoutACellIsReportedAtOnce(t *testing.T) {
	l := newFailureRecorder(t, Config{})
	l.spawnRunning(Options{})
	l.Exit(nil, errBoom)
	l.wantFailures("fiber f0.1 failed and nothing joined it: boom")
}

func TestAFailureInACellIsReportedAtTheEndUnlessItWasRead(t *testing.T) {
	l := newFailureRecorder(t, Config{})
	first, read, second := l.fails("first", errBoom), l.fails("read", errBoom), l.fails("second", errors.New("bang"))
	l.fails("fine", nil)
	read.Result()
	first.Completed() // asking is not reading
	l.wantFailures()
	l.Steps().ReportUnobserved()
	want := []string{`fiber f0.1 "first" failed and nothing joined it: boom`, `fiber f0.3 "second" failed and nothing joined it: bang`}
	l.wantFailures(want...)
	l.Steps().ReportUnobserved() // once is enough
	l.wantFailures(want...)
	second.Result()
}

func TestRunReportsFailuresWhenItEnds(t *testing.T) {
	var told []*UnobservedError
	s := New[int](Config{Unobserved: func(e *UnobservedError) { told = append(told, e) }})
	s.SpawnWith(0, Options{Name: "main", Main: true, Cell: new(ioqueue.Cell)})
	s.SpawnWith(1, Options{Name: "helper", Cell: new(ioqueue.Cell)})
	s.Run(t.Context(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data == 0 && len(s.unobserved) == 0 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired} // the helper fails first
		}
		s.SetResult(nil, errBoom)
		return fiber.Outcome{Kind: fiber.Done}
	}))
	if len(told) != 1 || told[0].Name != "helper" || !errors.Is(told[0], errBoom) {
		t.Fatalf("told %v", told)
	}
}

func TestWhatCountsAsAFailure(t *testing.T) {
	cause := errors.New("the user left")
	for name, c := range map[string]struct {
		end  func(l *failureRecorder, id fiber.ID)
		told bool
	}{
		"a result": {func(l *failureRecorder, _ fiber.ID) { l.Exit(1, nil) }, false},
		"an error": {func(l *failureRecorder, _ fiber.ID) { l.Exit(nil, errBoom) }, true},
		"a panic": {func(l *failureRecorder, _ fiber.ID) {
			l.Unwind().BeginPanic(panicstate.Recoverable, "x", "")
			l.Unwind().Panics().NextDefer()
			l.KillCurrent()
		}, true},
		"a kill":          {func(l *failureRecorder, id fiber.ID) { l.blockIn(fiber.OnQueue()); l.Kill(id, cause) }, false},
		"a kill of ready": {func(l *failureRecorder, id fiber.ID) { l.YieldCurrent(); l.Kill(id, cause); l.Poll() }, false},
		"a kill that it propagates": {func(l *failureRecorder, id fiber.ID) {
			l.Kill(id, nil)
			l.Exit(nil, fmt.Errorf("stopped: %w", ErrKilled))
		}, false},
		"a kill, and an error of the clean-up": {func(l *failureRecorder, id fiber.ID) { l.Kill(id, nil); l.Exit(nil, errBoom) }, true},
		"the kill of another":                  {func(l *failureRecorder, _ fiber.ID) { l.Exit(nil, fmt.Errorf("child: %w", ErrKilled)) }, true},
		"its cancel": {func(l *failureRecorder, id fiber.ID) {
			l.Cancel(id, cause)
			l.Exit(nil, fmt.Errorf("gave up: %w", cause))
		}, false},
		"another error than its cancel's": {func(l *failureRecorder, id fiber.ID) { l.Cancel(id, cause); l.Exit(nil, errBoom) }, true},
		"a grace period": {func(l *failureRecorder, id fiber.ID) {
			l.Cancel(id, cause)
			l.Unwind().Mask()
			l.blockIn(fiber.OnQueue())
			l.at(50)
		}, true},
		"another fiber's grace period": {func(l *failureRecorder, id fiber.ID) { l.Kill(id, errGraceKill); l.KillCurrent() }, false},
		"the main fiber": {func(l *failureRecorder, id fiber.ID) {
			l.reg.keepExt(l.find(id)).main = true
			l.Exit(nil, errBoom)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFailureRecorder(t, Config{Grace: 50})
			c.end(l, l.spawnRunning(Options{}).ID())
			if l.Inspect().Live() != 0 || (len(l.told) == 1) != c.told {
				t.Fatalf("%d live, told %q", l.Inspect().Live(), l.told)
			}
		})
	}
}

func TestAnEndedHookOrALinkObservesTheFailure(t *testing.T) {
	l := newFailureRecorder(t, Config{})
	l.spawnRunning(Options{Ended: func(any, error) {}})
	l.Exit(nil, errBoom)
	var told []string
	l.spawnRunning(Options{Link: &testLink{told: &told}})
	l.Exit(nil, errBoom)
	l.Steps().ReportUnobserved()
	l.wantFailures()
}

func TestManyFailuresAreReportedOnTheWayAndNotKept(t *testing.T) {
	l := newFailureRecorder(t, Config{})
	for n := range 10*maxUnobserved + 1 {
		if cell := l.fails("", errBoom); n%10 == 0 {
			cell.Result()
		}
		if len(l.unobserved) > maxUnobserved {
			t.Fatalf("%d failures are kept", len(l.unobserved))
		}
	}
	if want := 9 * (10*maxUnobserved - maxUnobserved/2) / 10; len(l.told) != want-9*maxUnobserved/20 && len(l.told) != want {
		t.Fatalf("%d were told on the way, not %d", len(l.told), want)
	}
	l.Steps().ReportUnobserved()
	if len(l.told) != 9*maxUnobserved || len(l.unobserved) != 0 {
		t.Fatalf("%d were told, %d kept", len(l.told), len(l.unobserved))
	}
}

func TestAPanickingHookIsNotCalledTwiceForOneFailure(t *testing.T) {
	calls := 0
	g := newTestScheduler(t, Config{Unobserved: func(*UnobservedError) { calls++; panic("careless") }})
	g.spawnRunning(Options{Cell: new(ioqueue.Cell)})
	g.Exit(nil, errBoom)
	func() {
		defer func() { _ = recover() }()
		g.Steps().ReportUnobserved()
	}()
	g.Steps().ReportUnobserved()
	if calls != 1 {
		t.Fatalf("told %d times", calls)
	}
}
