package stackful

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// The defects of docs/design.md#defects that are about waking, told with Go fibers.

func succeed() fiber.Result { return fiber.Result{Code: fiber.OK} }

// awaitTicket blocks until the ticket it shows is delivered.
func awaitTicket(f *Fiber, show *fiber.Ticket) (fiber.Code, error) {
	_, res, err := f.Await(fiber.OnQueue(), func(t fiber.Ticket) error { *show = t; return nil })
	return res.Code, err
}

func TestAWakeBetweenTryAndParkIsNotLost(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		s.spawn("receiver", func(f *Fiber) {
			at, res, err := f.Await(fiber.OnQueue(), func(at fiber.Ticket) error {
				s.ok(ch.ParkRecv(at, 0))
				sent, err := TrySend(f, ch, 7) // a peer comes before the stack is suspended
				s.trace(f, "sent %v %v", sent, err)
				return nil
			}, ch.Source())
			v, ok := ch.Collect(at)
			s.trace(f, "%v %v: %d %v", res.Code, err, v, ok)
		})
		s.run()
		s.traced("receiver: sent true <nil>", "receiver: ok <nil>: 7 true")
	})
}

func TestASuspendIsNotCommittedOverAnEarlierResume(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("waiter", func(f *Fiber) {
			_, res, err := f.Await(fiber.OnQueue(), func(at fiber.Ticket) error {
				s.trace(f, "%v", s.sched.Deliver(at, succeed()))
				return nil
			})
			s.trace(f, "%v %v", res.Code, err)
		})
		s.spawn("peer", func(f *Fiber) { s.trace(f, "runs first") })
		s.run()
		s.traced("waiter: latched", "peer: runs first", "waiter: ok <nil>")
	})
}

func TestAResultThatCameBeatsAParkThatRefuses(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("waiter", func(f *Fiber) {
			_, res, err := f.Await(fiber.OnQueue(), func(at fiber.Ticket) error {
				s.sched.Deliver(at, succeed())
				return wait.ErrReady
			})
			s.trace(f, "%v %v", res.Code, err)
			_, _, err = f.Await(fiber.OnQueue(), func(fiber.Ticket) error { return wait.ErrReady })
			s.fails("refused", err, wait.ErrReady)
		})
		s.run()
		s.traced("waiter: ok <nil>")
	})
}

func TestAStaleWakeDoesNotReachTheNextFiberOfTheSlot(t *testing.T) {
	each(t, func(s *testRun) {
		var old, fresh fiber.Ticket
		s.spawn("clerk", func(f *Fiber) {
			first := s.spawn("first", func(f *Fiber) { _, _ = awaitTicket(f, &old) })
			s.ok(f.Yield())
			s.trace(f, "first: %v", s.sched.Deliver(old, succeed()))
			_, err := f.Join(first)
			s.ok(err)
			second := s.spawn("second", func(f *Fiber) {
				code, err := awaitTicket(f, &fresh)
				s.trace(f, "%v %v", code, err)
			})
			s.is("slot", second.ID().Index(), first.ID().Index())
			s.ok(f.Yield())
			s.trace(f, "again: %v, second is %v", s.sched.Deliver(old, succeed()), s.sched.Inspect().State(second.ID()))
			s.trace(f, "second: %v", s.sched.Deliver(fresh, succeed()))
		})
		s.run()
		s.traced("clerk: first: woken", "clerk: again: gone, second is blocked",
			"clerk: second: woken", "second: ok <nil>")
	})
}

func TestAStaleWakeOfAnOlderWaitDoesNotEndTheNextOne(t *testing.T) {
	each(t, func(s *testRun) {
		var older, now fiber.Ticket
		s.spawn("waiter", func(f *Fiber) {
			_, _, err := f.Await(fiber.OnQueue().WithDeadline(f.Within(1)), func(at fiber.Ticket) error { older = at; return nil })
			s.trace(f, "%v", err)
			code, err := awaitTicket(f, &now)
			s.trace(f, "%v %v", code, err)
		})
		s.spawn("late", func(f *Fiber) {
			s.ok(f.Sleep(2))
			s.trace(f, "%v", s.sched.Deliver(older, succeed()))
			s.trace(f, "%v", s.sched.Deliver(now, succeed()))
		})
		s.run()
		s.traced("waiter: stackful: timed out", "late: stale", "late: woken", "waiter: ok <nil>")
	})
}

func TestAWakeToADeadFiberWhoseSlotIsFreeIsRefused(t *testing.T) {
	each(t, func(s *testRun) {
		var at fiber.Ticket
		s.spawn("waiter", func(f *Fiber) { _, _ = awaitTicket(f, &at) })
		s.deadlock()
		s.is("first", s.sched.Deliver(at, succeed()), fiber.Woken)
		s.run()
		before := s.sched.Inspect().Dump()
		s.is("to the dead", s.sched.Deliver(at, succeed()), fiber.Gone)
		s.is("snapshot", s.sched.Inspect().Dump(), before)
	})
}

func TestASecondWakeOfOneWaitIsRefused(t *testing.T) {
	each(t, func(s *testRun) {
		var at fiber.Ticket
		s.spawn("waiter", func(f *Fiber) {
			code, err := awaitTicket(f, &at)
			s.trace(f, "%v %v", code, err)
			s.fails("next wait", f.forever(f.Within(1)), ErrTimeout)
		})
		s.spawn("peer", func(f *Fiber) {
			s.trace(f, "%v %v", s.sched.Deliver(at, succeed()), s.sched.Deliver(at, fiber.Result{Code: fiber.Closed}))
		})
		s.run()
		s.traced("peer: woken stale", "waiter: ok <nil>")
	})
}

func TestACompletionBeforeTheParkIsKept(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("reader", func(f *Fiber) {
			tok, err := s.sched.Ops().Submit()
			s.ok(err)
			s.is("verdict", s.sched.Ops().Complete(tok, ioqueue.Completion{N: 5}), ioqueue.Early)
			_, res, err := f.Await(fiber.OnIO(tok), nil)
			done, ok := s.sched.Ops().Completion(tok)
			s.trace(f, "%v %v: %d %v", res.Code, err, done.N, ok)
		})
		s.run()
		s.traced("reader: ok <nil>: 5 true")
	})
}

func TestALateCompletionAfterACancelWakesNoFiber(t *testing.T) {
	var dropped []int
	cfg := Config{Config: scheduler.Config{Dropped: func(_ fiber.Token, c ioqueue.Completion) { dropped = append(dropped, c.N) }}}
	eachWith(t, cfg, func(s *testRun) {
		dropped = nil
		var tok fiber.Token
		reader := s.spawn("reader", func(f *Fiber) {
			tok, _ = s.sched.Ops().Submit()
			_, _, err := f.Await(fiber.OnIO(tok), nil)
			s.interrupted(err, false, scheduler.ErrCancelled)
			s.fails("the wait after it", f.forever(f.Within(1)), ErrTimeout)
		})
		s.spawn("device", func(f *Fiber) {
			s.ok(s.sched.Cancel(reader.ID(), nil))
			s.ok(f.Yield())
			s.is("asked to stop", len(s.sched.Ops().Cancellations(nil)), 1)
			s.is("verdict", s.sched.Ops().Complete(tok, ioqueue.Completion{N: 5}), ioqueue.Late)
		})
		s.run()
		s.is("dropped", len(dropped), 1)
	})
}

func TestAFiberInsideANativeCallIsNotADeadlock(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		s.spawn("caller", func(f *Fiber) {
			call, err := s.sched.AcquireTrampoline()
			s.ok(err)
			s.ok(f.Sleep(5)) // only the trampoline waits, and only for the clock
			v, _, err := Recv(f, ch)
			s.sched.ReleaseTrampoline(call)
			s.trace(f, "%d %v at %v", v, err, f.Now())
		})
		s.spawn("peer", func(f *Fiber) { s.ok(f.Sleep(9)); s.ok(Send(f, ch, 3)) })
		s.run()
		s.traced("caller: 3 <nil> at 9ns")
	})
}
