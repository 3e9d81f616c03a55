//go:build cgo

package native_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trampoline"
)

func TestWhatCMakesUpIsRefusedWithAStatus(t *testing.T) {
	inEachMode(t, func(s *stage) {
		s.play(func(f *stackful.Fiber) {
			calls := 0
			count := func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) { calls++; return 1, f.Yield() }
			past, err := s.work(f, count)
			s.ok(err)
			forgery := ctest.NewForgery(uint64(s.Register(count)), past)
			s.ok(s.Call(f, ctest.Forge(), unsafe.Pointer(forgery)))
			for what, got := range map[string]native.Status{
				"a context of zeroes":             native.Status(forgery.Zero),
				"the next call's":                 native.Status(forgery.Next),
				"that of another host":            native.Status(forgery.OtherHost),
				"that of a call that is over":     native.Status(forgery.Outdated),
				"its own, on another thread":      native.Status(forgery.OtherThread),
				"from C that no fiber has called": native.Status(ctest.Outside(past)),
			} {
				s.is(what, got, native.NoContext)
			}
			s.is("an unknown function", native.Status(forgery.NoFunction), native.NoFunction)
			s.is("no place for the result", native.Status(forgery.NoResult), native.OK)
			s.is("calls", calls, 2)
		})
	})
}

func TestTheContextOfACallBelowIsNotGoodInTheOneAbove(t *testing.T) {
	inEachMode(t, func(s *stage) {
		s.play(func(f *stackful.Fiber) {
			one := s.Register(func(*stackful.Fiber, unsafe.Pointer) (int64, error) { return 1, nil })
			var below *ctest.Job
			entered := 0
			_, err := s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				if entered++; entered > 1 {
					return 0, nil
				}
				forgery := ctest.NewForgery(uint64(one), below)
				err := s.Call(f, ctest.Forge(), unsafe.Pointer(forgery))
				s.is("the outer context", native.Status(forgery.Outdated), native.NoContext)
				s.is("the outer context in a callback", native.Status(ctest.Outside(below)), native.OK)
				return 0, err
			}, func(j *ctest.Job) { below = j; j.Insists = 1 })
			s.ok(err)
			s.is("good again", native.Status(below.Again), native.OK)
			s.is("entered", entered, 3)
		})
	})
}

func TestAFunctionThatWasTakenAwayIsUnknownToC(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	s.play(func(f *stackful.Fiber) {
		var name native.Function
		name = s.Register(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
			s.Unregister(name) // its own call goes on
			return 5, f.Yield()
		})
		job := ctest.NewJob(uint64(name), 2)
		err := s.Call(f, ctest.Work(), unsafe.Pointer(job))
		s.status(job, native.NoFunction)
		s.is("sum", int64(job.Sum), int64(5))
		s.is("unknown", errors.Is(err, native.ErrNoFunction), true)
		s.is("another name", s.Register(nil) != name, true)
	})
}

// Were any of these tried, the runtime would end the process.
func TestOnCoroutinesEveryCallbackIsRefused(t *testing.T) {
	for mode, nesting := range map[string]bool{"parking": false, "nesting": true} {
		t.Run(mode, func(t *testing.T) {
			s := newStage(t, stackful.Config{Nesting: nesting})
			s.start("peer", func(f *stackful.Fiber) (any, error) { return nil, f.Yield() })
			s.play(func(f *stackful.Fiber) {
				job, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
					s.say("not reached")
					return 0, f.Yield()
				})
				s.status(job, native.ForeignStack)
				s.is("refused", errors.Is(err, trampoline.ErrForeignStack), true)
				s.ok(f.Yield())
				s.failed(s.Call(f, ctest.Own(), nil), 1000) // C that does not call back is welcome
			})
			s.told()
		})
	}
}

func TestTheDepthOfCallsIsLimitedByStatus(t *testing.T) {
	cfg := stackful.Config{Backing: stackful.Goroutine}
	cfg.MaxTrampolines = 3
	s := newStage(t, cfg)
	s.play(func(f *stackful.Fiber) {
		s.ok(s.within(f, 3, func(f *stackful.Fiber) error { return f.Yield() }))
		s.failed(s.within(f, 4, func(f *stackful.Fiber) error { return f.Yield() }), native.Limit)
	})
}

func TestMisuseOfAHostIsNamed(t *testing.T) {
	other := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	refused := func(what string, do func()) {
		defer func() { s.is(what, recover() != nil, true) }()
		do()
	}
	s.play(func(f *stackful.Fiber) {
		refused("nil C function", func() { _ = s.Call(f, nil, nil) })
		refused("fiber of another Runtime", func() { _ = other.Call(f, ctest.Own(), nil) })
		s.ok(s.within(f, 1, func(*stackful.Fiber) error {
			refused("Close from a callback", s.Close)
			return nil
		}))
	})
}

func TestStatusesHaveNames(t *testing.T) {
	names := map[string]bool{}
	for s := native.Status(0); s < 32; s++ {
		names[s.String()] = true
	}
	if len(names) != 32 {
		t.Errorf("two statuses share a name: %v", names)
	}
}
