package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// sleeper says how its hour of sleep ended.
func (s *testRun) sleeper(f *Fiber) (any, error) {
	err := f.Sleep(time.Hour)
	s.trace(f, "%v at %v", err, f.Now())
	return f.Now(), err
}

// enter starts a fiber of the scope.
func (s *testRun) enter(f *Fiber, sc *Scope, name string, fn Func) *Task {
	s.t.Helper()
	t, err := sc.Go(f, name, fn)
	s.ok(err)
	return t
}

func TestAScopeReturnsWhenItsBodyAndAllFibersSpawnedIntoItHaveEnded(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			v, err := f.Scope(scope.Options{Name: "s"}, func(f *Fiber, sc *Scope) (any, error) {
				s.enter(f, sc, "one", func(f *Fiber) (any, error) {
					s.enter(f, sc, "by one", s.sleeper)
					return nil, nil
				})
				s.is("alive", len(sc.Life().Source().(fiber.Described).Holders(nil)), 2)
				return "value", nil
			})
			s.ok(err)
			s.trace(f, "%v at %v", v, f.Now())
		})
		s.run()
		s.traced("by one: <nil> at 1h0m0s", "owner: value at 1h0m0s")
	})
}

func TestAFailureReachesABodyThatWaitsForAValueThatNeverComes(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{Name: "s"}, func(f *Fiber, sc *Scope) (any, error) {
				values := wait.NewChan[int](0)
				s.enter(f, sc, "sender", func(*Fiber) (any, error) { return nil, errStop })
				s.enter(f, sc, "other", s.sleeper)
				_, _, err := Recv(f, values)
				s.trace(f, "%v", err)
				return nil, err
			})
			var failure *scope.Failure
			s.is("a failure", errors.As(err, &failure), true)
			s.is("name", failure.Name, "sender")
			s.fails("scope", err, errStop)
		})
		s.run()
		const why = `cancelled: scope "s": fiber f2.1 "sender" failed: the user closed the window`
		s.traced("other: "+why+" at 0s", "s: "+why)
	})
}

func TestABodyThatPanicsOrLeavesEndsItsScopeLikeAnyFailure(t *testing.T) {
	for name, leave := range map[string]func() (any, error){
		"panics":  func() (any, error) { panic("boom") },
		"returns": func() (any, error) { return nil, errStop },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(s *testRun) {
				s.spawn("owner", func(f *Fiber) {
					var worker *Task
					_, err := f.Scope(scope.Options{}, func(f *Fiber, sc *Scope) (any, error) {
						worker = s.enter(f, sc, "worker", func(f *Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
						s.ok(f.Yield())
						return leave()
					})
					s.is("failed", err != nil, true)
					_, _, done := worker.Result()
					s.is("the worker is dead", done, true)
					s.is("time", f.Now(), fiber.Time(0))
				})
				s.run()
			})
		})
	}
}

func TestAnIsolatedPanicIsOnlyReported(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{IsolatePanics: true}, func(f *Fiber, sc *Scope) (any, error) {
				s.enter(f, sc, "bad", func(*Fiber) (any, error) { panic(errStop) })
				s.enter(f, sc, "good", s.sleeper)
				return nil, nil
			})
			var p *scheduler.PanicError
			s.is("a panic", errors.As(err, &p) && p.Value == errStop, true)
		})
		s.run()
		s.traced("good: <nil> at 1h0m0s")
	})
}

func TestACancelledOwnerOfAScopeReturnsWhenItsFibersHaveEnded(t *testing.T) {
	each(t, func(s *testRun) {
		owner := s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{}, func(f *Fiber, sc *Scope) (any, error) {
				s.enter(f, sc, "tidy", func(f *Fiber) (any, error) {
					s.interrupted(f.Sleep(time.Hour), false, errStop)
					return nil, f.Sleep(time.Minute) // cleaning up
				})
				return s.sleeper(f)
			})
			s.interrupted(err, false, errStop)
			s.trace(f, "at %v", f.Now())
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Sleep(time.Second))
			s.ok(s.sched.Cancel(owner.ID(), errStop))
		})
		s.run()
		s.traced(": cancelled: the user closed the window at 1s", "owner: at 1m1s")
	})
}

func TestAShieldedScopeIsNotCancelledWithItsOwner(t *testing.T) {
	each(t, func(s *testRun) {
		owner := s.spawn("owner", func(f *Fiber) {
			s.ok(f.Shield(func() error {
				_, err := f.Scope(scope.Options{Name: "s"}, func(f *Fiber, _ *Scope) (any, error) { return s.sleeper(f) })
				return err
			}))
			s.interrupted(f.Checkpoint(), false, errStop)
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Cancel(owner.ID(), errStop))
		})
		s.run()
		s.traced("s: <nil> at 1h0m0s")
	})
}

func TestAScopePastItsDeadlineEndsWithIt(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			_, err := f.ScopeUntil(scope.Options{Name: "s"}, f.Within(time.Minute), func(f *Fiber, _ *Scope) (any, error) { return s.sleeper(f) })
			s.fails("scope", err, scope.ErrDeadline)
			s.is("time", f.Now(), fiber.Time(time.Minute))
		})
		s.run()
		s.traced("s: cancelled: its deadline passed at 1m0s")
	})
}

func TestTheFibersOfAKilledOwnerAreKilledWithIt(t *testing.T) {
	each(t, func(s *testRun) {
		var worker *Task
		owner := s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{Name: "s"}, func(f *Fiber, sc *Scope) (any, error) {
				worker = s.enter(f, sc, "worker", s.sleeper)
				return s.sleeper(f)
			})
			s.interrupted(err, true, errStop)
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Sleep(time.Second))
			s.ok(s.sched.Kill(owner.ID(), errStop))
			_, err := f.Join(owner)
			s.fails("owner", err, errStop)
			s.is("the worker is doomed", s.sched.Unwind().KillPending(worker.ID()), true)
			_, err = f.Join(worker)
			s.fails("worker", err, scope.ErrOwnerDied)
		})
		s.run()
		s.is("lines", len(s.lines), 2)
	})
}

func TestTheFirstSuccessIsTheValueAndEndsTheScope(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			v, err := f.Scope(scope.Options{Policy: scope.AnySuccess}, func(f *Fiber, sc *Scope) (any, error) {
				for i, after := range []time.Duration{3, 1, 2} {
					s.enter(f, sc, "mirror", func(f *Fiber) (any, error) {
						if err := f.Sleep(after * time.Second); err != nil || after == 1 {
							return nil, errors.Join(err, errStop)
						}
						return i, nil
					})
				}
				return "of the body", nil
			})
			s.ok(err)
			s.is("value", v, 2)
			s.is("time", f.Now(), fiber.Time(2*time.Second))
		})
		s.run()
	})
}

func TestAScopeThatHasEndedTakesNoFibers(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			var leaked *Scope
			_, err := f.Scope(scope.Options{Name: "s"}, func(f *Fiber, sc *Scope) (any, error) {
				leaked = sc
				s.ok(sc.Stop(f))
				_, err := sc.Go(f, "late", s.sleeper)
				s.fails("of a stopped scope", err, scope.ErrStopped)
				return nil, f.Sleep(time.Second) // who stops the others goes on
			})
			s.ok(err)
			_, err = leaked.Go(f, "later", s.sleeper)
			s.fails("of an ended scope", err, scope.ErrClosed)
		})
		s.run()
		s.traced()
	})
}

func TestAScopeWithoutRoomForItsBodyIsRefused(t *testing.T) {
	eachWith(t, Config{Config: scheduler.Config{MaxFibers: 1}}, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{}, func(*Fiber, *Scope) (any, error) { return nil, nil })
			s.fails("scope", err, scheduler.ErrTooManyFibers)
		})
		s.run()
	})
}

func TestAScopeBelongsToOneRuntime(t *testing.T) {
	each(t, func(s *testRun) {
		other := New(Config{})
		defer other.Close()
		s.spawn("owner", func(f *Fiber) {
			_, err := f.Scope(scope.Options{}, func(f *Fiber, sc *Scope) (any, error) {
				guest, err := other.Go("guest", func(g *Fiber) (any, error) {
					_, err := sc.Go(g, "stray", s.sleeper)
					s.fails("spawn", err, wait.ErrForeign)
					s.fails("cancel", sc.Cancel(g, nil), wait.ErrForeign)
					s.fails("stop", sc.Stop(g), wait.ErrForeign)
					return nil, nil
				})
				s.ok(err)
				s.ok(other.Run(t.Context()))
				_, err, _ = guest.Result()
				return nil, err
			})
			s.ok(err)
		})
		s.run()
	})
}

func TestInADeadlockTheOwnerIsSaidToWaitForTheFibersOfItsScope(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("owner", func(f *Fiber) {
			lock := wait.NewMutex(wait.Poison)
			s.ok(f.Lock(lock))
			_, err := f.Scope(scope.Options{Name: "s"}, func(f *Fiber, _ *Scope) (any, error) { return nil, f.Lock(lock) })
			s.is("stopped", err != nil, true)
		})
		r := s.deadlock()
		s.is("edges", r.Fibers[0].On[0], `scope "s" (1 fiber)`)
		s.is("cycle", len(r.Cycle), 2)
	})
}
