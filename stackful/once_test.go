package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

func TestOneFiberRunsItAndTheOthersWaitUntilItIsDone(t *testing.T) {
	each(t, func(s *testRun) {
		o, runs := new(wait.Once), 0
		for _, name := range []string{"a", "b", "c"} {
			s.spawn(name, func(f *Fiber) {
				s.ok(f.Do(o, func() error { runs++; return f.Sleep(time.Second) }))
				s.trace(f, "%v", f.Now())
			})
		}
		s.spawn("hasty", func(f *Fiber) {
			done, err := f.TryDo(o, func() error { runs++; return nil })
			s.trace(f, "%v %v", done, err)
		})
		s.run()
		s.traced("hasty: false <nil>", "a: 1s", "b: 1s", "c: 1s")
		s.is("runs", runs, 1)
		s.spawn("late", func(f *Fiber) {
			done, err := f.TryDo(o, func() error { runs++; return nil })
			s.trace(f, "%v %v %v", done, err, f.Do(o, func() error { runs++; return nil }))
		})
		s.run()
		s.traced("late: true <nil> <nil>")
		s.is("runs", runs, 1)
	})
}

// failures are the ways a run can come to nothing.
func failures(s *testRun) map[string]func(f *Fiber) error {
	return map[string]func(f *Fiber) error{
		"error":  func(*Fiber) error { return errors.New("no luck") },
		"panic":  func(*Fiber) error { panic("boom") },
		"exit":   func(*Fiber) error { walkOut(); return nil },
		"killed": func(f *Fiber) error { s.ok(s.sched.Kill(f.ID(), errStop)); return f.Yield() },
		"cancelled": func(f *Fiber) error {
			s.ok(s.sched.Cancel(f.ID(), errStop))
			return f.Sleep(time.Hour)
		},
	}
}

func TestAfterARunThatFailedTheNextOneRunsItAnew(t *testing.T) {
	each(t, func(s *testRun) {
		for how, fail := range failures(s) {
			o := new(wait.Once)
			s.spawn("first", func(f *Fiber) {
				err := f.Do(o, func() error { s.ok(f.Yield()); return fail(f) })
				s.is(how+" fails", err != nil, true)
			})
			for _, name := range []string{"second", "third"} {
				s.spawn(name, func(f *Fiber) { s.ok(f.Do(o, func() error { s.trace(f, "runs it"); return nil })) })
			}
			s.run()
			s.traced("second: runs it")
			s.is(how+" done", o.Done(), true)
		}
	})
}

func TestAPoisonedOnceHasOneAttempt(t *testing.T) {
	each(t, func(s *testRun) {
		for how, fail := range failures(s) {
			o := wait.NewOnce(wait.Poison)
			o.SetName("config")
			first := s.spawn("first", func(f *Fiber) {
				_ = f.Do(o, func() error { s.ok(f.Yield()); return fail(f) })
			})
			s.spawn("waiter", func(f *Fiber) { s.fails(how, f.Do(o, nil), wait.ErrRunFailed) })
			s.run()
			s.spawn("later", func(f *Fiber) {
				err := f.Do(o, nil)
				s.fails(how, err, wait.ErrRunFailed)
				s.says(how, err, `once "config"`, first.ID().String())
				s.is("repaired", o.Repair(), true)
				s.ok(f.Do(o, func() error { return nil }))
			})
			s.run()
		}
	})
}

func TestAPanicThatIsRecoveredHasEndedTheRun(t *testing.T) {
	each(t, func(s *testRun) {
		o := new(wait.Once)
		s.spawn("fiber", func(f *Fiber) {
			func() {
				defer func() { s.is("recovered", recover(), "boom") }()
				_ = f.Do(o, func() error { panic("boom") })
			}()
			s.is("runner", o.Runner(), fiber.ID(0))
			s.ok(f.Do(o, func() error { return nil }))
		})
		s.run()
	})
}

func TestATurnOfAFiberThatIsKilledBeforeItRunsGoesOn(t *testing.T) {
	each(t, func(s *testRun) {
		o := new(wait.Once)
		var victim *Task
		s.spawn("first", func(f *Fiber) {
			s.fails("run", f.Do(o, func() error { s.ok(f.Yield()); return errStop }), errStop)
			s.is("runner", o.Runner(), victim.ID())
			s.ok(s.sched.Kill(victim.ID(), errStop))
		})
		victim = s.spawn("victim", func(f *Fiber) {
			s.interrupted(f.Do(o, func() error { t.Error("ran"); return nil }), true, errStop)
		})
		s.spawn("heir", func(f *Fiber) { s.ok(f.Do(o, func() error { s.trace(f, "runs it"); return nil })) })
		s.run()
		s.traced("heir: runs it")
	})
}

func TestARunThatAsksForItselfIsAnErrorNotAWait(t *testing.T) {
	each(t, func(s *testRun) {
		o := new(wait.Once)
		o.SetName("config")
		s.spawn("fiber", func(f *Fiber) {
			s.ok(f.Do(o, func() error {
				err := f.Do(o, func() error { return nil })
				s.fails("inside", err, wait.ErrReentered)
				s.says("inside", err, `once "config"`, f.ID().String())
				return nil
			}))
		})
		s.run()
	})
}
