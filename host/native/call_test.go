//go:build cgo

package native_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/host/native/internal/ctest"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// throwing is a function that panics after it has waited.
func throwing(value any) native.Func {
	return func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
		if err := f.Sleep(time.Second); err != nil {
			return 0, err
		}
		panic(value)
	}
}

func TestAPanicPassesCByStatusAndGoesOnAboveItWithTheSameValue(t *testing.T) {
	var nilMap map[string]int
	own := errors.New("an error")
	for name, value := range map[string]any{"error": own, "text": "oh", "number": 42, "pointer": &nilMap, "its own interrupt": &stackful.Interrupt{Cause: own}} {
		for _, swallows := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " swallowed ", swallows), func(t *testing.T) {
				inEachMode(t, func(s *stage) {
					s.play(func(f *stackful.Fiber) {
						var job *ctest.Job
						defer func() {
							s.is("recovered", recover(), value)
							s.status(job, native.Panicked)
							s.is("called again", native.Status(job.Again), native.Panicked)
							s.ok(s.within(f, 2, func(f *stackful.Fiber) error { return f.Yield() })) // fit for the next
						}()
						_, _ = s.asked(f, throwing(value), func(j *ctest.Job) {
							job, j.Insists = j, 1
							if swallows {
								j.Swallows = 1
							}
						})
					})
				})
			})
		}
	}
}

func TestARuntimeErrorPassesCToo(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	s.play(func(f *stackful.Fiber) {
		defer func() {
			_, ok := recover().(runtime.Error)
			s.is("a runtime error", ok, true)
		}()
		_, _ = s.work(f, func(*stackful.Fiber, unsafe.Pointer) (int64, error) {
			var none []int64
			return none[3], nil
		})
	})
}

func TestAPanicThatNobodyRecoversCrossesEveryCFrameAndEndsTheFiber(t *testing.T) {
	inEachMode(t, func(s *stage) {
		victim := s.start("victim", func(f *stackful.Fiber) (any, error) {
			return nil, s.within(f, 4, func(*stackful.Fiber) error {
				_, err := s.work(f, throwing("nobody recovers"))
				return err
			})
		})
		s.run()
		_, err, _ := victim.Result()
		var p *scheduler.PanicError
		if !errors.As(err, &p) || p.Value != "nobody recovers" {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestAPanicOfTheGuestIsTheCallersWithItsGeneration(t *testing.T) {
	inEachMode(t, func(s *stage) {
		s.play(func(f *stackful.Fiber) {
			core := s.rt.Scheduler().Unwind()
			core.Panics().Defer(1, "rescue")
			job, err := s.asked(f, func(*stackful.Fiber, unsafe.Pointer) (int64, error) {
				core.BeginPanic(panicstate.Recoverable, "of the guest", "main.vm:3")
				core.Panics().NextDefer() // it has none: the panic ends the function
				return 0, nil
			}, func(j *ctest.Job) { j.Swallows, j.Insists = 1, 1 })
			s.status(job, native.Panicked)
			s.is("called again", native.Status(job.Again), native.Panicked)
			var p *scheduler.PanicError
			if !errors.As(err, &p) || p.Value != "of the guest" || p.Site != "main.vm:3" {
				t.Errorf("the call ended with %v", err)
			}
			active, _ := core.Panics().Active()
			s.is("generation", active.Generation, uint64(1))
			d, _ := core.Panics().NextDefer()
			s.is("deferred", d.Call, any("rescue"))
			v, ok := core.Recover(2)
			s.is("recovered", v, any("of the guest"))
			s.is("by right", ok, true)
			core.Panics().EndDefer()
		})
	})
}

func TestAnErrorIsForCToHandleOrToPassOn(t *testing.T) {
	inEachMode(t, func(s *stage) {
		broken := errors.New("broken")
		fails := func(*stackful.Fiber, unsafe.Pointer) (int64, error) { return 0, broken }
		s.play(func(f *stackful.Fiber) {
			job, err := s.work(f, fails)
			s.status(job, native.Failed)
			s.failed(err, native.Failed)
			s.is("is the error", errors.Is(err, broken), true)

			_, err = s.asked(f, fails, func(j *ctest.Job) { j.Swallows = 1 })
			s.ok(err)

			err = s.Call(f, ctest.Own(), nil)
			s.failed(err, 1000)
			s.is("its own", err.Error(), "native: C returned status 1000")
		})
	})
}

func TestGoexitInAGuardPassesCByStatusAndEndsTheFiberAboveIt(t *testing.T) {
	inEachMode(t, func(s *stage) {
		victim := s.start("victim", func(f *stackful.Fiber) (any, error) {
			var job *ctest.Job
			defer func() { s.status(job, native.Exited); s.say("unwound") }()
			_, err := s.asked(f, native.Guard(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				s.ok(f.Sleep(time.Second))
				runtime.Goexit()
				return 0, nil
			}), func(j *ctest.Job) { job = j })
			s.say("not reached")
			return nil, err
		})
		s.run()
		_, err, _ := victim.Result()
		s.is("ended by Goexit", errors.Is(err, stackful.ErrGoexit), true)
		s.told("unwound")
	})
}

func TestAGuardPassesValuesErrorsAndPanicsThrough(t *testing.T) {
	inEachMode(t, func(s *stage) {
		s.play(func(f *stackful.Fiber) {
			defer func() { s.is("recovered", recover(), "oh") }()
			job, err := s.work(f, native.Guard(func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				return 7, f.Yield()
			}))
			s.ok(err)
			s.is("value", int64(job.Sum), int64(7))
			_, _ = s.work(f, native.Guard(throwing("oh")))
		})
	})
}

func TestGoexitOutsideOfAGuardSkipsTheCFramesAndEndsOnlyTheFiber(t *testing.T) {
	inEachMode(t, func(s *stage) {
		var job *ctest.Job
		victim := s.start("victim", func(f *stackful.Fiber) (any, error) {
			_, err := s.asked(f, func(*stackful.Fiber, unsafe.Pointer) (int64, error) {
				runtime.Goexit()
				return 0, nil
			}, func(j *ctest.Job) { job = j })
			return nil, err
		})
		s.run()
		_, err, _ := victim.Result()
		s.is("ended by Goexit", errors.Is(err, stackful.ErrGoexit), true)
		s.is("cleaned up", int(job.Cleaned), 0)
		s.play(func(f *stackful.Fiber) {
			s.ok(s.within(f, 2, func(f *stackful.Fiber) error { return f.Yield() }))
			s.is("its context", native.Status(ctest.Outside(job)), native.NoContext)
		})
	})
}

// stops are the ways a fiber is told to stop while it waits below C frames.
var stops = map[string]struct {
	stop   func(s *stage, victim *stackful.Task) error
	status native.Status
}{
	"kill":   {func(s *stage, v *stackful.Task) error { return s.rt.Scheduler().Kill(v.ID(), errStop) }, native.Killed},
	"cancel": {func(s *stage, v *stackful.Task) error { return s.rt.Scheduler().Cancel(v.ID(), errStop) }, native.Cancelled},
}

func TestAKillOrCancelLetsEveryCFrameCleanUp(t *testing.T) {
	for name, how := range stops {
		t.Run(name, func(t *testing.T) {
			inEachMode(t, func(s *stage) {
				var outer, inner *ctest.Job
				victim := s.start("victim", func(f *stackful.Fiber) (_ any, err error) {
					_, err = s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
						_, err := s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
							return 0, f.Sleep(time.Hour)
						}, func(j *ctest.Job) { inner = j })
						return 0, err
					}, func(j *ctest.Job) { outer = j })
					var stopped *stackful.Interrupt
					if !errors.As(err, &stopped) || stopped.Killed != (name == "kill") || !errors.Is(err, errStop) {
						t.Errorf("the call ended with %v", err)
					}
					return nil, err
				})
				s.play(func(f *stackful.Fiber) { s.ok(f.Yield()); s.ok(how.stop(s, victim)) })
				s.status(inner, how.status)
				s.status(outer, how.status)
			})
		})
	}
}

func TestNeitherCNorTheFunctionCanKeepAKillToItselfButACancel(t *testing.T) {
	for name, how := range stops {
		for _, hides := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " hidden ", hides), func(t *testing.T) {
				inEachMode(t, func(s *stage) {
					told := map[string]native.Status{"kill": native.Killed}[name]
					victim := s.start("victim", func(f *stackful.Fiber) (any, error) {
						job, err := s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
							if err := f.Sleep(time.Hour); !hides {
								return 0, err
							}
							return 1, nil
						}, func(j *ctest.Job) { j.Swallows = 1 })
						if name == "kill" || hides {
							s.status(job, told)
						}
						s.is("told above C", err != nil, name == "kill")
						s.say("returned")
						return nil, err
					})
					s.play(func(f *stackful.Fiber) { s.ok(f.Yield()); s.ok(how.stop(s, victim)) })
					s.told("returned")
				})
			})
		}
	}
}

func TestAfterAKillCIsRefusedAtOnce(t *testing.T) {
	inEachMode(t, func(s *stage) {
		calls := 0
		var job *ctest.Job
		victim := s.start("victim", func(f *stackful.Fiber) (any, error) {
			_, err := s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				calls++
				return 0, f.Sleep(time.Hour)
			}, func(j *ctest.Job) { job, j.Insists = j, 1 })
			return nil, err
		})
		s.play(func(f *stackful.Fiber) { s.ok(f.Yield()); s.ok(s.rt.Scheduler().Kill(victim.ID(), errStop)) })
		s.is("called again", native.Status(job.Again), native.Killed)
		s.is("calls", calls, 1)
	})
}

func TestADeadlinePassesBelowCFrames(t *testing.T) {
	inEachMode(t, func(s *stage) {
		s.play(func(f *stackful.Fiber) {
			job, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				_, _, err := f.Await(fiber.OnQueue().WithDeadline(f.Within(time.Minute)), nil)
				return 0, err
			})
			s.status(job, native.Failed)
			s.is("timed out", errors.Is(err, stackful.ErrTimeout), true)
		})
	})
}

// A function that ignores its kill is unwound by a panic, which does not skip the C frames below it.
func TestAStubbornFunctionIsUnwoundByForceAndCCleansUp(t *testing.T) {
	inEachMode(t, func(s *stage) {
		var job *ctest.Job
		stubborn := s.start("stubborn", func(f *stackful.Fiber) (any, error) {
			defer s.say("unwound")
			_, err := s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				for {
					_ = f.Sleep(time.Hour)
				}
			}, func(j *ctest.Job) { job = j })
			for err != nil { // nor does it listen above C
				_ = f.Sleep(time.Hour)
			}
			return nil, nil
		})
		s.play(func(f *stackful.Fiber) { s.ok(f.Yield()); s.ok(s.rt.Scheduler().Kill(stubborn.ID(), errStop)) })
		s.status(job, native.Killed)
		s.told("unwound")
	})
}

func TestOneThatRecoversEvenThatEndsAllTheSame(t *testing.T) {
	inEachMode(t, func(s *stage) {
		stubborn := s.start("stubborn", func(f *stackful.Fiber) (any, error) {
			_, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				for {
					func() {
						defer func() { _ = recover() }()
						_ = f.Sleep(time.Hour)
					}()
				}
			})
			return nil, err
		})
		s.play(func(f *stackful.Fiber) { s.ok(f.Yield()); s.ok(s.rt.Scheduler().Kill(stubborn.ID(), errStop)) })
		_, err, _ := stubborn.Result()
		s.is("killed", errors.Is(err, errStop), true)
	})
}

// inC spawns fibers that wait below C for what never comes, and gives their jobs.
func (s *stage) inC(n int) []*ctest.Job {
	jobs := make([]*ctest.Job, n)
	for i := range jobs {
		s.start("", func(f *stackful.Fiber) (any, error) {
			_, err := s.asked(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				_, _, err := f.Await(fiber.OnQueue(), nil)
				return 0, err
			}, func(j *ctest.Job) { jobs[i] = j })
			return nil, err
		})
	}
	return jobs
}

func TestTheEndOfARunUnwindsFibersThatWaitInC(t *testing.T) {
	inEachMode(t, func(s *stage) {
		ctx, stop := context.WithCancel(t.Context())
		jobs := s.inC(3)
		s.start("stops", func(*stackful.Fiber) (any, error) { stop(); return nil, nil })
		s.is("stopped", errors.Is(s.rt.Run(ctx), context.Canceled), true)
		for _, job := range jobs {
			s.status(job, native.Killed)
		}
	})
}

func TestCloseUnwindsFibersThatWaitInC(t *testing.T) {
	s := newStage(t, stackful.Config{Backing: stackful.Goroutine})
	jobs := s.inC(3)
	var deadlock *scheduler.DeadlockError
	s.is("deadlock", errors.As(s.rt.Run(t.Context()), &deadlock), true)
	s.is("in C", s.InFlight(), 3)
	s.rt.Close()
	for _, job := range jobs {
		s.status(job, native.Killed)
	}
}

// The interrupt of another fiber is an error like others.
func TestTheKillOfAnotherFiberIsAFailureLikeOthersToC(t *testing.T) {
	for name, how := range stops {
		t.Run(name, func(t *testing.T) {
			inEachMode(t, func(s *stage) {
				victim := s.start("victim", func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
				s.play(func(f *stackful.Fiber) {
					s.ok(f.Yield())
					s.ok(how.stop(s, victim))
					job, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
						_, err := f.Join(victim)
						return 0, err
					})
					s.status(job, native.Failed)
					s.failed(err, native.Failed)
				})
			})
		})
	}
}
