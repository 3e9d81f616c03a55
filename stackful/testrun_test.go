package stackful

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/scheduler"
)

// testRun is a runtime with the trace of what its fibers did, in order.
type testRun struct {
	*Runtime
	t     *testing.T
	lines []string
}

// each runs a test on both backings, then closes the runtime and checks that nothing
// is left: no fiber, no goroutine, no difference between states and derived tables.
func each(t *testing.T, body func(s *testRun)) { eachWith(t, Config{}, body) }

func eachWith(t *testing.T, cfg Config, body func(s *testRun)) {
	t.Helper()
	for _, b := range []Backing{Coroutine, Goroutine} {
		t.Run(b.String(), func(t *testing.T) {
			cfg.Backing = b
			body(newTestRun(t, cfg))
		})
	}
}

func newTestRun(t *testing.T, cfg Config) *testRun {
	known := goleak.IgnoreCurrent()
	s := &testRun{Runtime: New(cfg), t: t}
	t.Cleanup(func() {
		s.Close()
		s.sched.Inspect().Verify()
		c := s.sched.Inspect().Counts()
		s.is("fibers left", s.sched.Inspect().Live(), 0)
		s.is("ended", c.Ended, c.Spawned)
		goleak.VerifyNone(t, known)
	})
	return s
}

// spawn starts a fiber that has no result.
func (s *testRun) spawn(name string, body func(f *Fiber)) *Task {
	s.t.Helper()
	return s.start(name, func(f *Fiber) (any, error) { body(f); return nil, nil })
}

func (s *testRun) start(name string, fn Func) *Task {
	s.t.Helper()
	t, err := s.Go(name, fn)
	s.ok(err)
	return t
}

// trace adds a line in the name of a fiber.
func (s *testRun) trace(f *Fiber, format string, args ...any) {
	s.lines = append(s.lines, s.sched.Inspect().Name(f.ID())+": "+fmt.Sprintf(format, args...))
}

// run runs every fiber to its end.
func (s *testRun) run() {
	s.t.Helper()
	s.ok(s.Run(context.Background()))
}

// deadlock runs until no fiber can go on.
func (s *testRun) deadlock() *scheduler.Report {
	s.t.Helper()
	var d *scheduler.DeadlockError
	if err := s.Run(context.Background()); !errors.As(err, &d) {
		s.t.Fatalf("the run ended with %v, not in a deadlock", err)
	}
	s.sched.Inspect().Verify()
	return d.Report
}

// traced compares the lines since the last time.
func (s *testRun) traced(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.lines, want) {
		s.t.Errorf("traced:\n\t%s\nwant:\n\t%s", strings.Join(s.lines, "\n\t"), strings.Join(want, "\n\t"))
	}
	s.lines = nil
}

func (s *testRun) is(what string, got, want any) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (s *testRun) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Errorf("unexpected: %v", err)
	}
}

func (s *testRun) fails(what string, err, want error) {
	s.t.Helper()
	if !errors.Is(err, want) {
		s.t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// interrupted checks for an *Interrupt of the kind and cause.
func (s *testRun) interrupted(err error, killed bool, cause error) {
	s.t.Helper()
	var i *Interrupt
	if !errors.As(err, &i) || i.Killed != killed || !errors.Is(err, cause) {
		s.t.Errorf("interrupted with %v, want killed %v by %v", err, killed, cause)
	}
}
