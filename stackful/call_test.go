package stackful

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/trampoline"
	"github.com/selvage-dev/selvage/wait"
)

// inEveryMode runs a test with native calls that park and with calls that nest, each on
// both backings; at its end no call may be left.
func inEveryMode(t *testing.T, body func(s *testRun)) {
	t.Helper()
	for _, nesting := range []bool{false, true} {
		inMode(t, nesting, body)
	}
}

func inMode(t *testing.T, nesting bool, body func(s *testRun)) {
	t.Helper()
	mode := map[bool]string{false: "parking", true: "nesting"}[nesting]
	t.Run(mode, func(t *testing.T) {
		eachWith(t, Config{Nesting: nesting}, func(s *testRun) {
			body(s)
			s.ok(s.calls.Check())
			s.is("calls left", s.sched.Inspect().LiveTrampolines(), 0)
		})
	})
}

// within runs body depth native calls deep.
func (s *testRun) within(f *Fiber, depth int, body func()) {
	s.t.Helper()
	if depth == 0 {
		body()
		return
	}
	_, err := f.Call(func(f *Fiber) (any, error) { s.within(f, depth-1, body); return nil, nil })
	s.ok(err)
}

// receives is a wait for a value from a channel.
func (s *testRun) receives(f *Fiber, ch *wait.Chan[int], want int) {
	s.t.Helper()
	v, _, err := Recv(f, ch)
	s.ok(err)
	s.is("received", v, want)
}

// waits are what a native call can wait for. Each gives the wait itself, and spawns who
// ends it.
var waits = map[string]func(s *testRun) func(f *Fiber){
	"channel": func(s *testRun) func(f *Fiber) {
		ch := wait.NewChan[int](0)
		s.spawn("sender", func(f *Fiber) { s.ok(Send(f, ch, 7)) })
		return func(f *Fiber) { s.receives(f, ch, 7) }
	},
	"select fed by two fibers that then end": func(s *testRun) func(f *Fiber) {
		a, b := wait.NewChan[int](0), wait.NewChan[int](0)
		for _, ch := range []*wait.Chan[int]{a, b} {
			s.spawn("feeder", func(f *Fiber) { s.ok(Send(f, ch, 1)) })
		}
		return func(f *Fiber) {
			seen := 0
			for range 2 {
				i, err := f.Select(wait.NewSelect(wait.RecvFrom(a), wait.RecvFrom(b)))
				s.ok(err)
				seen += 1 << i
			}
			s.is("both cases", seen, 3)
		}
	},
	"mutex": func(s *testRun) func(f *Fiber) {
		m := wait.NewMutex(wait.Poison)
		s.spawn("holder", func(f *Fiber) {
			s.ok(f.Lock(m))
			s.ok(f.Sleep(time.Second))
			s.ok(f.Unlock(m))
		})
		return func(f *Fiber) {
			s.ok(f.Sleep(time.Millisecond)) // the holder has it by now
			s.ok(f.Lock(m))
			s.ok(f.Unlock(m))
		}
	},
	"join": func(s *testRun) func(f *Fiber) {
		task := s.start("child", func(f *Fiber) (any, error) { return 42, f.Sleep(time.Second) })
		return func(f *Fiber) {
			v, err := f.Join(task)
			s.ok(err)
			s.is("joined", v, 42)
		}
	},
	"timer": func(s *testRun) func(f *Fiber) {
		return func(f *Fiber) {
			before := f.Now()
			s.ok(f.Sleep(time.Hour))
			s.is("slept", f.Now().After(0), before.After(time.Hour))
		}
	},
	"deadline": func(s *testRun) func(f *Fiber) {
		return func(f *Fiber) { s.fails("wait", f.forever(f.Within(time.Hour)), ErrTimeout) }
	},
	"I/O through the caller": func(s *testRun) func(f *Fiber) {
		return func(f *Fiber) {
			token, err := s.sched.Ops().Submit()
			s.ok(err)
			cell := new(ioqueue.Cell)
			s.ok(s.sched.Ops().Attach(token, cell))
			join, err := wait.JoinOn(cell, f.ID())
			s.ok(err)
			go s.sched.Inbox().Complete(token, ioqueue.Completion{Value: "all of it"})
			_, _, err = f.Await(fiber.OnQueue(), func(t fiber.Ticket) error { return join.ParkJoin(t, 0) }, join.Case().Source())
			s.ok(err)
			v, done, err := join.Try()
			s.ok(err)
			s.is("done", done, true)
			s.is("completed with", v.(ioqueue.Completion).Value, "all of it")
		}
	},
	"a wake from another goroutine": func(s *testRun) func(f *Fiber) {
		return func(f *Fiber) {
			_, res, err := f.Await(fiber.OnQueue().FromOutside(), func(t fiber.Ticket) error {
				go s.sched.Inbox().Deliver(t, fiber.Result{Code: fiber.OK})
				return nil
			})
			s.ok(err)
			s.is("woken with", res.Code, fiber.OK)
		}
	},
	"a turn of the others": func(s *testRun) func(f *Fiber) {
		turns := 0
		s.spawn("other", func(f *Fiber) { turns++ })
		return func(f *Fiber) {
			s.ok(f.Yield())
			s.is("turns of the other", turns, 1)
		}
	},
}

func TestEveryWaitCompletesInANativeCallAtAnyDepth(t *testing.T) {
	for name, prepare := range waits {
		for _, depth := range []int{1, 2, 3, 4, 8, 16, 32, 64} {
			t.Run(fmt.Sprintf("%s/%d deep", name, depth), func(t *testing.T) {
				inEveryMode(t, func(s *testRun) {
					var body func(f *Fiber)
					over := false
					s.spawn("caller", func(f *Fiber) {
						s.within(f, depth, func() { body(f); over = true })
						s.is("executing after it", s.sched.Inspect().Executing(), f.ID())
					})
					body = prepare(s)
					s.run()
					s.is("over", over, true)
				})
			})
		}
	}
}

// One waits in t0, another, further up on the same native stack if they nest, in t1, and
// t0 is woken by the latter.
func invert(s *testRun) (lower, upper *Task) {
	first, second := wait.NewChan[int](0), wait.NewChan[int](0)
	lower = s.spawn("lower", func(f *Fiber) {
		s.within(f, 1, func() { s.receives(f, first, 1) })
		ok, err := TrySend(f, second, 2)
		s.ok(err)
		s.trace(f, "handed it on: %v", ok)
	})
	upper = s.start("upper", func(f *Fiber) (any, error) {
		return f.Call(func(f *Fiber) (any, error) {
			s.ok(Send(f, first, 1))
			v, _, err := Recv(f, second)
			return v, err
		})
	})
	return lower, upper
}

func TestTheInversionCaseCompletesWhereCallsPark(t *testing.T) {
	inMode(t, false, func(s *testRun) {
		_, upper := invert(s)
		s.run()
		v, err, _ := upper.Result()
		s.ok(err)
		s.is("upper", v, 2)
		s.traced("lower: handed it on: true")
	})
}

func TestTheInversionCaseIsReportedAsOneWhereCallsNest(t *testing.T) {
	inMode(t, true, func(s *testRun) {
		_, upper := invert(s)
		var inversion *scheduler.StackInversionError
		if err := s.Run(t.Context()); !errors.As(err, &inversion) {
			t.Errorf("the run ended with %v", err)
		}
		_, err, _ := upper.Result()
		if !errors.As(err, &inversion) || !inversion.Below.IsTrampoline() || !inversion.Above.IsTrampoline() {
			t.Fatalf("upper ended with %v", err)
		}
		s.traced("lower: handed it on: false")
	})
}

func TestAPanicInACallGoesOnInItsCallerWhoseDefersRunAndMayRecoverIt(t *testing.T) {
	inEveryMode(t, func(s *testRun) {
		rescue := func(f *Fiber) {
			defer func() {
				s.trace(f, "recovered %v in %v", recover(), s.sched.Inspect().Executing() == f.ID())
				s.ok(f.Sleep(time.Second)) // a deferred call may wait
			}()
			_, _ = f.Call(func(f *Fiber) (any, error) {
				defer func() { s.trace(f, "first its own"); s.ok(f.Yield()) }()
				s.within(f, 3, func() { panic("oh") })
				return nil, nil
			})
		}
		s.spawn("a", func(f *Fiber) {
			rescue(f)
			s.within(f, 2, func() { s.ok(f.Sleep(time.Second)) }) // fit for the next
		})
		failed := s.spawn("b", func(f *Fiber) { s.within(f, 3, func() { panic("not recovered") }) })
		s.run()
		_, err, _ := failed.Result()
		var p *scheduler.PanicError
		if !errors.As(err, &p) || p.Value != "not recovered" {
			t.Errorf("b ended with %v", err)
		}
		s.traced("a: first its own", "a: recovered oh in true")
	})
}

func TestAKillOrCancelUnwindsTheNativeFramesAFiberIsParkedIn(t *testing.T) {
	for name, end := range map[string]func(s *testRun, victim *Task) error{
		"kill":   func(s *testRun, victim *Task) error { return s.sched.Kill(victim.ID(), errStop) },
		"cancel": func(s *testRun, victim *Task) error { return s.sched.Cancel(victim.ID(), errStop) },
	} {
		t.Run(name, func(t *testing.T) {
			inEveryMode(t, func(s *testRun) {
				victim := s.spawn("victim", func(f *Fiber) {
					defer s.unwound()
					_, err := f.Call(func(f *Fiber) (any, error) {
						defer s.unwound()
						return f.Call(func(f *Fiber) (any, error) {
							defer s.unwound()
							return nil, f.forever(f.Within(time.Hour))
						})
					})
					s.interrupted(err, name == "kill", errStop)
					_, err = f.Call(func(*Fiber) (any, error) { return "entered", nil })
					s.is("refused another call", err != nil, name == "kill")
				})
				s.spawn("killer", func(f *Fiber) { s.ok(f.Yield()); s.ok(end(s, victim)) })
				s.run()
				s.traced("unwound", "unwound", "unwound")
			})
		})
	}
}

func TestAStubbornFiberInNativeCallsIsUnwoundByForce(t *testing.T) {
	inEveryMode(t, func(s *testRun) {
		stubborn := s.spawn("stubborn", func(f *Fiber) {
			defer s.unwound()
			s.within(f, 3, func() {
				for {
					_ = f.Sleep(time.Hour)
				}
			})
		})
		s.spawn("killer", func(f *Fiber) { s.ok(f.Yield()); s.ok(s.sched.Kill(stubborn.ID(), errStop)) })
		s.run()
		s.traced("unwound")
	})
}

func TestACallThatNothingCanWakeEndsInADeadlockOfItsOwn(t *testing.T) {
	inMode(t, true, func(s *testRun) {
		stuck := s.start("stuck", func(f *Fiber) (any, error) {
			return f.Call(func(f *Fiber) (any, error) {
				err := f.forever(fiber.Never)
				s.is("sticks", errors.Is(f.Checkpoint(), errors.Unwrap(err)), false)
				_, again := f.Call(func(*Fiber) (any, error) { return nil, nil })
				s.is("refused", again != nil, true)
				return nil, err
			})
		})
		of := s.Run(t.Context())
		_, err, _ := stuck.Result()
		var deadlock *scheduler.DeadlockError
		if !errors.As(err, &deadlock) || of != error(deadlock) {
			t.Errorf("the run ended with %v", of)
		}
		if !errors.As(err, &deadlock) || len(deadlock.Report.Fibers) != 2 {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestCallsNestNoDeeperThanTheLimit(t *testing.T) {
	eachWith(t, Config{Nesting: true, Config: scheduler.Config{MaxNesting: 3}}, func(s *testRun) {
		refused := 0
		for range 5 {
			s.spawn("nests", func(f *Fiber) {
				_, err := f.Call(func(f *Fiber) (any, error) { return nil, f.Sleep(time.Second) })
				if errors.Is(err, scheduler.ErrTooDeep) {
					refused++
				}
			})
		}
		s.run()
		s.is("refused", refused, 2)
	})
}

// On a coroutine every one of these would end the process if it were tried under C.
func TestACoroutineInAForeignCallbackRefusesWhatItCannotDo(t *testing.T) {
	for _, nesting := range []bool{false, true} {
		inMode(t, nesting, func(s *testRun) {
			could := s.backing == Goroutine
			s.spawn("peer", func(f *Fiber) {})
			s.spawn("guest of C", func(f *Fiber) {
				s.ok(f.Foreign(func() error {
					for _, err := range []error{
						f.Yield(),
						f.Sleep(time.Second),
						second(f.Call(func(f *Fiber) (any, error) { return nil, f.Sleep(time.Second) })),
						second(f.Call(func(*Fiber) (any, error) { return nil, nil })),
						second(f.Scope(scope.Options{}, func(*Fiber, *Scope) (any, error) { return nil, nil })),
						operates(f, s),
					} {
						s.is("refused", errors.Is(err, trampoline.ErrForeignStack), !could)
					}
					ch := wait.NewChan[int](1)
					ok, err := TrySend(f, ch, 1) // what does not wait is possible
					s.is("sent", ok, true)
					return err
				}))
				s.within(f, 1, func() { s.ok(f.Sleep(time.Second)) })
			})
			s.run()
		})
	}
}

// A Goexit would pass over the foreign frames below, and they could not clean up.
func TestAStubbornFiberInAForeignCallbackIsUnwoundByAPanicItCanContain(t *testing.T) {
	each(t, func(s *testRun) {
		stubborn := s.spawn("stubborn", func(f *Fiber) {
			defer s.unwound()
			_ = f.Yield()
			_ = f.Foreign(func() error {
				defer func() {
					stopped, _ := recover().(*Interrupt)
					s.interrupted(stopped, true, errStop)
					s.trace(f, "cleaned up")
				}()
				for {
					_ = f.Sleep(time.Hour)
				}
			})
			for {
				_ = f.Sleep(time.Hour)
			}
		})
		s.spawn("killer", func(*Fiber) { s.ok(s.sched.Kill(stubborn.ID(), errStop)) })
		s.run()
		s.traced("stubborn: cleaned up", "unwound")
	})
}

func second(_ any, err error) error { return err }

func TestCloseUnwindsFibersInNativeCalls(t *testing.T) {
	inEveryMode(t, func(s *testRun) {
		for range 3 {
			s.spawn("caller", func(f *Fiber) {
				defer s.unwound()
				s.within(f, 2, func() { _ = f.Yield() })
				_ = f.forever(f.Within(1 << 60))
			})
		}
		s.runFor(2)
		s.closes(3)
	})
}
