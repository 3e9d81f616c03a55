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

// story is a runtime and what its fibers said, in order.
type story struct {
	*Runtime
	t     *testing.T
	lines []string
}

// each tells a story on both backings, then closes the runtime and checks that nothing
// is left: no fiber, no goroutine, no difference between states and derived tables.
func each(t *testing.T, tale func(s *story)) { eachWith(t, Config{}, tale) }

func eachWith(t *testing.T, cfg Config, tale func(s *story)) {
	t.Helper()
	for _, b := range []Backing{Coroutine, Goroutine} {
		t.Run(b.String(), func(t *testing.T) {
			cfg.Backing = b
			tale(newStory(t, cfg))
		})
	}
}

func newStory(t *testing.T, cfg Config) *story {
	known := goleak.IgnoreCurrent()
	s := &story{Runtime: New(cfg), t: t}
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
func (s *story) spawn(name string, body func(f *Fiber)) *Task {
	s.t.Helper()
	return s.start(name, func(f *Fiber) (any, error) { body(f); return nil, nil })
}

func (s *story) start(name string, fn Func) *Task {
	s.t.Helper()
	t, err := s.Go(name, fn)
	s.ok(err)
	return t
}

// say adds a line in the name of a fiber.
func (s *story) say(f *Fiber, format string, args ...any) {
	s.lines = append(s.lines, s.sched.Inspect().Name(f.ID())+": "+fmt.Sprintf(format, args...))
}

// run runs every fiber to its end.
func (s *story) run() {
	s.t.Helper()
	s.ok(s.Run(context.Background()))
}

// deadlock runs until no fiber can go on.
func (s *story) deadlock() *scheduler.Report {
	s.t.Helper()
	var d *scheduler.DeadlockError
	if err := s.Run(context.Background()); !errors.As(err, &d) {
		s.t.Fatalf("the run ended with %v, not in a deadlock", err)
	}
	s.sched.Inspect().Verify()
	return d.Report
}

// told compares everything said since the last time.
func (s *story) told(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.lines, want) {
		s.t.Errorf("told:\n\t%s\nwant:\n\t%s", strings.Join(s.lines, "\n\t"), strings.Join(want, "\n\t"))
	}
	s.lines = nil
}

func (s *story) is(what string, got, want any) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (s *story) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Errorf("unexpected: %v", err)
	}
}

func (s *story) fails(what string, err, want error) {
	s.t.Helper()
	if !errors.Is(err, want) {
		s.t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// interrupted checks for an *Interrupt of the kind and cause.
func (s *story) interrupted(err error, killed bool, cause error) {
	s.t.Helper()
	var i *Interrupt
	if !errors.As(err, &i) || i.Killed != killed || !errors.Is(err, cause) {
		s.t.Errorf("interrupted with %v, want killed %v by %v", err, killed, cause)
	}
}
