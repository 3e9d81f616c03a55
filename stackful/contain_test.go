package stackful

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

//go:noinline
func explode(value any) { panic(value) }

//go:noinline
func walkOut() { runtime.Goexit() }

// endOf runs one fiber and returns what it ended with.
func endOf(s *testRun, fn Func) error {
	s.t.Helper()
	peer := s.start("peer", func(f *Fiber) (any, error) { return "fine", f.Yield() })
	task := s.start("subject", fn)
	s.run()
	v, err, _ := peer.Result()
	s.is("peer", v, "fine")
	s.ok(err)
	_, err, done := task.Result()
	s.is("ended", done, true)
	return err
}

func panicOf(s *testRun, fn Func) *scheduler.PanicError {
	s.t.Helper()
	var p *scheduler.PanicError
	if err := endOf(s, fn); !errors.As(err, &p) {
		s.t.Fatalf("ended with %v, not with a panic", err)
	}
	return p
}

func TestAPanicIsReportedWithTheGoStackOfItsCause(t *testing.T) {
	each(t, func(s *testRun) {
		p := panicOf(s, func(f *Fiber) (any, error) { explode("boom"); return nil, nil })
		s.is("value", p.Value, "boom")
		if !strings.Contains(string(p.Stack), "stackful.explode") || !strings.Contains(p.Error(), "panic: boom") {
			t.Errorf("the report does not lead to the cause:\n%v", p)
		}
	})
}

func TestAPanicWithAnErrorCanBeTestedForIt(t *testing.T) {
	each(t, func(s *testRun) {
		cause := errors.New("disk full")
		s.fails("panic", endOf(s, func(*Fiber) (any, error) { explode(fmt.Errorf("saving: %w", cause)); return nil, nil }), cause)
		p := panicOf(s, func(*Fiber) (any, error) { explode(nil); return nil, nil })
		if _, ok := p.Value.(*runtime.PanicNilError); !ok {
			t.Errorf("panic(nil) became %T", p.Value)
		}
	})
}

func TestGoexitEndsItsFiberAndIsReportedWithItsGoStack(t *testing.T) {
	each(t, func(s *testRun) {
		err := endOf(s, func(f *Fiber) (any, error) {
			s.ok(f.Yield())
			walkOut()
			return "never", nil
		})
		s.fails("end", err, ErrGoexit)
		var exited *GoexitError
		if !errors.As(err, &exited) || !strings.Contains(string(exited.Stack), "stackful.walkOut") {
			t.Errorf("the report does not lead to the cause:\n%v", err)
		}
	})
}

func TestAPanicInsideNestedDefersReplacesTheOneBeforeIt(t *testing.T) {
	each(t, func(s *testRun) {
		p := panicOf(s, func(f *Fiber) (any, error) {
			defer s.trace(f, "last defer")
			defer func() {
				defer func() { explode("third") }()
				explode("second")
			}()
			explode("first")
			return nil, nil
		})
		s.is("value", p.Value, "third")
		s.is("panics on the stack", strings.Count(string(p.Stack), "stackful.explode("), 3)
		s.traced("subject: last defer")
	})
}

func TestGoexitInsideNestedDefersStillRunsTheOuterOnes(t *testing.T) {
	each(t, func(s *testRun) {
		err := endOf(s, func(f *Fiber) (any, error) {
			defer s.trace(f, "outer")
			defer func() {
				defer s.trace(f, "inner")
				walkOut()
			}()
			walkOut()
			return nil, nil
		})
		s.fails("end", err, ErrGoexit)
		s.traced("subject: inner", "subject: outer")
	})
}

func TestGoexitDuringAPanicAndAPanicDuringGoexitAreContained(t *testing.T) {
	each(t, func(s *testRun) {
		err := endOf(s, func(*Fiber) (any, error) {
			defer walkOut()
			explode("boom")
			return nil, nil
		})
		s.fails("Goexit during a panic", err, ErrGoexit)
		p := panicOf(s, func(*Fiber) (any, error) {
			defer explode("boom")
			walkOut()
			return nil, nil
		})
		s.is("panic during a Goexit", p.Value, "boom")
	})
}

func TestARecoveredPanicIsNoEnd(t *testing.T) {
	each(t, func(s *testRun) {
		s.ok(endOf(s, func(f *Fiber) (any, error) {
			func() {
				defer func() { s.trace(f, "recovered %v", recover()) }()
				explode("boom")
			}()
			return nil, f.Sleep(time.Second)
		}))
		s.traced("subject: recovered boom")
	})
}

func TestADeferredCallMayBlockAndComeBackToTheSameUnwind(t *testing.T) {
	each(t, func(s *testRun) {
		p := panicOf(s, func(f *Fiber) (any, error) {
			defer func() {
				defer func() {
					s.ok(f.Sleep(time.Second))
					s.trace(f, "inner, recovered %v at %v", recover(), f.Now())
				}()
				s.ok(f.Sleep(time.Second))
				explode("inner")
			}()
			explode("outer")
			return nil, nil
		})
		s.is("value", p.Value, "outer")
		s.traced("subject: inner, recovered inner at 2s")
		s.fails("Goexit", endOf(s, func(f *Fiber) (any, error) {
			defer func() { s.ok(f.Sleep(time.Second)); s.trace(f, "at %v", f.Now()) }()
			walkOut()
			return nil, nil
		}), ErrGoexit)
		s.traced("subject: at 3s")
	})
}

func TestThePanicOfAFiberIsNotSwallowed(t *testing.T) {
	each(t, func(s *testRun) {
		victim := s.start("victim", func(*Fiber) (any, error) { explode("boom"); return nil, nil })
		s.spawn("judge", func(f *Fiber) {
			_, err := f.Join(victim)
			var te *TaskError
			var p *scheduler.PanicError
			if !errors.As(err, &te) || !errors.As(err, &p) || te.Task != "victim" || p.Value != "boom" {
				t.Errorf("the joiner was told %v", err)
			}
			s.trace(f, "runs on")
		})
		s.run()
		s.traced("judge: runs on")
	})
}

func TestAPanicBetweenArmAndBlockLeavesNothingArmed(t *testing.T) {
	each(t, func(s *testRun) {
		p := panicOf(s, func(f *Fiber) (any, error) {
			_, _, err := f.Await(fiber.OnQueue().WithDeadline(f.Within(1)), func(fiber.Ticket) error { explode("parking"); return nil })
			return nil, err
		})
		s.is("value", p.Value, "parking")
		s.sched.Inspect().Verify()
	})
}
