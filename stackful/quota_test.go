package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// A call that passes a quota returns the interrupt of the fiber that it has killed, and the fiber
// cannot do anything any more; its join, and the run if it is the main fiber, end with the quota's
// error. The fiber of another Group continues.
func TestACallThatPassesAQuotaEndsItsFiber(t *testing.T) {
	never := func(fiber.Token) error { return nil }
	for resource, calls := range map[quota.Resource]map[string]func(f *Fiber) error{
		quota.Fibers: {
			"Go": func(f *Fiber) error {
				_, err := f.Runtime().Go("more", func(*Fiber) (any, error) { return nil, nil })
				return err
			},
		},
		quota.Timers: {
			"Sleep":      func(f *Fiber) error { return f.Sleep(time.Hour) },
			"Await":      func(f *Fiber) error { _, _, err := RecvUntil(f, wait.NewChan[int](0), 5); return err },
			"ResetTimer": func(f *Fiber) error { _, err := f.ResetTimer(new(wait.Timer), 5); return err },
			"Operate":    func(f *Fiber) error { _, err := f.OperateUntil(never, 5); return err },
			"Scope": func(f *Fiber) error {
				_, err := f.ScopeUntil(scope.Options{}, 5, func(*Fiber, *Scope) (any, error) { return nil, nil })
				return err
			},
		},
		quota.Operations: {
			"Operate": func(f *Fiber) error { _, err := f.Operate(never); return err },
		},
	} {
		for name, call := range calls {
			t.Run(resource.String()+" "+name, func(t *testing.T) {
				each(t, func(s *testRun) {
					limits := quota.Limits{Fibers: 1, Timers: 1, Operations: 1}
					if resource == quota.Timers {
						limits.Operations = 2
					}
					guest := s.sched.Attachments().NewGroup(nil, "guest", limits)
					var other *Task
					code := func(f *Fiber) (any, error) {
						alarm := new(wait.Timer)
						_, err := f.ResetTimer(alarm, 1000)
						s.ok(err)
						_, err = s.sched.Ops().Submit()
						s.ok(err)
						first, again := call(f), f.Sleep(1)
						var passed *quota.Error
						s.is("passed", errors.As(first, &passed) && passed.Resource == resource && f.Stopped(first) != nil && f.Stopped(first).Killed, true)
						s.is("killed", f.Stopped(again) != nil, true)
						return nil, nil
					}
					killed, err := s.GoWith("killed", code, scheduler.Options{Group: guest})
					s.ok(err)
					other = s.spawn("other", func(f *Fiber) {
						_, err := f.Join(killed)
						s.is("joined", errors.As(err, new(*quota.Error)), true)
						_, err = f.rt.GoWith("late", code, scheduler.Options{Group: guest})
						s.is("late", errors.As(err, new(*quota.Error)) && f.Checkpoint() == nil, true)
					})
					s.run()
					_, err, _ = other.Result()
					s.ok(err)
				})
			})
		}
	}
}

// The limits of a scope are those of its fibers and of what these spawn. Its owner gets the error.
func TestAScopeHasLimitsOfItsOwn(t *testing.T) {
	each(t, func(s *testRun) {
		owner := s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{Name: "part", Limits: quota.Limits{Fibers: 3}}, func(f *Fiber, sc *Scope) (any, error) {
				s.enter(f, sc, "one", s.sleeper)
				_, err := f.rt.Go("two", s.sleeper)
				s.ok(err)
				_, err = sc.Go(f, "three", s.sleeper)
				return nil, err
			})
			var passed *quota.Error
			s.is("passed", errors.As(err, &passed), true)
			s.is("error", *passed, quota.Error{Account: `scope "part"`, Resource: quota.Fibers, Limit: 3, Spent: quota.Spent{Fibers: 3}})
			s.is("the owner's", f.Stopped(err), (*Interrupt)(nil))
			v, err := f.Scope(scope.Options{Limits: quota.Limits{Fibers: 1}}, func(*Fiber, *Scope) (any, error) { return "value", nil })
			s.ok(err)
			s.is("value", v, "value")
		})
		s.run()
		_, err, _ := owner.Result()
		s.ok(err)
	})
}

// The token of an operation that a quota refuses is not left behind.
func TestARefusedOperationIsNotInProgress(t *testing.T) {
	each(t, func(s *testRun) {
		guest := s.sched.Attachments().NewGroup(nil, "guest", quota.Limits{Timers: 1})
		_, err := s.GoWith("main", func(f *Fiber) (any, error) {
			_, err := f.ResetTimer(new(wait.Timer), 1000)
			s.ok(err)
			return f.OperateUntil(func(fiber.Token) error { return nil }, 5)
		}, scheduler.Options{Group: guest, Main: true})
		s.ok(err)
		err = s.Run(t.Context())
		s.is("the run", errors.As(err, new(*quota.Error)), true)
		s.is("outstanding", guest.Spent().Operations, int64(0))
	})
}
