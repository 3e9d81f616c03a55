//go:build cgo

package native_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/stackful"
)

var errStop = errors.New("stop")

// stage is a runtime with a host for C, and what its fibers said.
type stage struct {
	*native.Host
	t     *testing.T
	rt    *stackful.Runtime
	lines []string
}

// inEachMode plays with callbacks that park and with such that pump.
func inEachMode(t *testing.T, play func(s *stage)) {
	t.Helper()
	for mode, nesting := range map[string]bool{"parking": false, "nesting": true} {
		t.Run(mode, func(t *testing.T) {
			play(newStage(t, stackful.Config{Backing: stackful.Goroutine, Nesting: nesting}))
		})
	}
}

// newStage makes a stage, and at the end of the test checks that nothing is left: no
// fiber, no call, no goroutine.
func newStage(t *testing.T, cfg stackful.Config) *stage {
	known := goleak.IgnoreCurrent()
	rt := stackful.New(cfg)
	s := &stage{Host: native.New(rt), t: t, rt: rt}
	t.Cleanup(func() {
		rt.Close()
		rt.Scheduler().Inspect().Verify()
		s.is("fibers left", rt.Scheduler().Inspect().Live(), 0)
		s.is("calls left", rt.Scheduler().Inspect().LiveTrampolines(), 0)
		s.is("fibers left in C", s.InFlight(), 0)
		s.Close()
		goleak.VerifyNone(t, known)
	})
	return s
}

func (s *stage) start(name string, fn stackful.Func) *stackful.Task {
	s.t.Helper()
	task, err := s.rt.Go(name, fn)
	s.ok(err)
	return task
}

func (s *stage) run() {
	s.t.Helper()
	s.ok(s.rt.Run(context.Background()))
}

// play runs one fiber to its end.
func (s *stage) play(body func(f *stackful.Fiber)) {
	s.t.Helper()
	main := s.start("main", func(f *stackful.Fiber) (any, error) { body(f); return "played", nil })
	s.run()
	v, err, _ := main.Result()
	s.ok(err)
	s.is("the main fiber has", v, "played")
}

// work has C call fn once.
func (s *stage) work(f *stackful.Fiber, fn native.Func) (*ctest.Job, error) {
	return s.asked(f, fn, func(*ctest.Job) {})
}

// asked has C call fn as the job says.
func (s *stage) asked(f *stackful.Fiber, fn native.Func, ask func(*ctest.Job)) (*ctest.Job, error) {
	name := s.Register(fn)
	defer s.Unregister(name)
	job := ctest.NewJob(uint64(name), 1)
	ask(job)
	return job, s.Call(f, ctest.Work(), unsafe.Pointer(job))
}

// within runs body below so many C functions that call each other through Go.
func (s *stage) within(f *stackful.Fiber, depth int, body func(f *stackful.Fiber) error) error {
	if depth == 0 {
		return body(f)
	}
	_, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
		return 0, s.within(f, depth-1, body)
	})
	return err
}

func (s *stage) say(line string) { s.lines = append(s.lines, line) }

func (s *stage) told(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.lines, want) {
		s.t.Errorf("told:\n\t%s\nwant:\n\t%s", strings.Join(s.lines, "\n\t"), strings.Join(want, "\n\t"))
	}
	s.lines = nil
}

func (s *stage) is(what string, got, want any) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (s *stage) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Errorf("unexpected: %v", err)
	}
}

// status checks what a job's last call was answered, and that C cleaned up.
func (s *stage) status(job *ctest.Job, want native.Status) {
	s.t.Helper()
	s.is("status", native.Status(job.Status), want)
	s.is("cleaned up", int(job.Cleaned), 1)
}

// failed checks for an *Error with the status.
func (s *stage) failed(err error, want native.Status) {
	s.t.Helper()
	var failure *native.Error
	if !errors.As(err, &failure) || failure.Status != want {
		s.t.Errorf("failed with %v, want %v", err, want)
	}
}
