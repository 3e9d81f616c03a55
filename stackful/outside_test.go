package stackful

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// serve runs the fibers while another goroutine, or several, use the runtime.
func (s *testRun) serve(callers ...func()) {
	s.t.Helper()
	sender := s.sched.Inbox().NewSender() // so that the run does not end before they do
	var all sync.WaitGroup
	for _, caller := range callers {
		all.Go(caller)
	}
	go func() {
		all.Wait()
		sender.Close()
	}()
	s.run()
}

// external blocks until the wait is ended from outside.
func external(f *Fiber) error {
	_, _, err := f.Await(fiber.OnQueue().FromOutside(), nil)
	return err
}

func TestOtherGoroutinesStartFibersAndCollectWhatTheyReturn(t *testing.T) {
	each(t, func(s *testRun) {
		total, m := 0, wait.NewMutex(wait.Poison)
		caller := func() {
			for i := range 20 {
				h, err := s.Start("job", func(f *Fiber) (any, error) {
					s.ok(f.Lock(m))
					s.ok(f.Sleep(time.Millisecond))
					total++
					s.ok(f.Unlock(m))
					if f.Task() != nil {
						t.Error("a fiber started from outside has a Task")
					}
					return i, nil
				})
				s.ok(err)
				v, err := h.Result(t.Context())
				s.ok(err)
				s.is("result", v, i)
			}
		}
		s.serve(caller, caller, caller)
		s.is("jobs", total, 60)
	})
}

func TestExecuteReturnsWhatTheFiberEndedWith(t *testing.T) {
	each(t, func(s *testRun) {
		s.serve(func() {
			v, err := s.Execute(t.Context(), "sum", func(f *Fiber) (any, error) { return 42, f.Sleep(time.Hour) })
			s.is("result", v, 42)
			s.ok(err)
			_, err = s.Execute(t.Context(), "bad", func(*Fiber) (any, error) { explode("boom"); return nil, nil })
			var p *scheduler.PanicError
			if !errors.As(err, &p) || p.Value != "boom" {
				t.Errorf("the caller was told %v", err)
			}
			_, err = s.Execute(t.Context(), "gone", func(*Fiber) (any, error) { walkOut(); return nil, nil })
			s.fails("Goexit", err, ErrGoexit)
		})
	})
}

func TestAnExecuteThatIsGivenUpCancelsItsFiber(t *testing.T) {
	each(t, func(s *testRun) {
		ctx, giveUp := context.WithCancelCause(t.Context())
		s.serve(func() {
			_, err := s.Execute(ctx, "slow", func(f *Fiber) (any, error) {
				giveUp(errStop)
				err := external(f)
				s.interrupted(err, false, errStop)
				s.trace(f, "told")
				return nil, err
			})
			s.fails("Execute", err, errStop)
		})
		s.traced("slow: told")
	})
}

func TestAnotherGoroutineCancelsAndKillsThroughTheInbox(t *testing.T) {
	each(t, func(s *testRun) {
		parked := make(chan fiber.ID, 2)
		s.spawn("cancelled", func(f *Fiber) { parked <- f.ID(); s.interrupted(external(f), false, errStop) })
		s.spawn("killed", func(f *Fiber) { parked <- f.ID(); s.interrupted(external(f), true, errStop) })
		h, err := s.Start("handled", func(f *Fiber) (any, error) { return nil, external(f) })
		s.ok(err)
		s.serve(func() {
			first, second := <-parked, <-parked
			s.ok(s.sched.Inbox().Cancel(first, errStop))
			s.ok(s.sched.Inbox().Kill(second, errStop))
			s.ok(s.sched.Inbox().Kill(fiber.NewRegularID(99, 1).ID(), errStop)) // no such fiber: no harm
			s.ok(h.Cancel(errStop))
			_, err := h.Result(t.Context())
			s.interrupted(err, false, errStop)
		})
	})
}

func TestADeliveryFromAnotherGoroutineBetweenArmAndBlockIsNotLost(t *testing.T) {
	each(t, func(s *testRun) {
		tickets, posted := make(chan fiber.Ticket), make(chan struct{})
		s.spawn("waiter", func(f *Fiber) {
			for range 20 {
				_, res, err := f.Await(fiber.OnQueue(), func(at fiber.Ticket) error {
					tickets <- at
					<-posted // the delivery is in the inbox before the fiber blocks
					return nil
				})
				s.ok(err)
				s.is("result", res.Code, fiber.OK)
			}
		})
		s.serve(func() {
			for range 20 {
				s.ok(s.sched.Inbox().Deliver(<-tickets, succeed()))
				posted <- struct{}{}
			}
		})
	})
}

func TestTheEndOfTheContextUnwindsEverything(t *testing.T) {
	each(t, func(s *testRun) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		for i := range 20 {
			s.spawn("worker", func(f *Fiber) {
				defer s.unwound()
				s.interrupted(external(f), true, errStop)
				s.interrupted(f.Sleep(1), true, errStop)
			})
			if i == 10 {
				s.spawn("user", func(f *Fiber) { s.ok(f.Yield()); cancel(errStop); s.interrupted(f.Yield(), true, errStop) })
			}
		}
		s.fails("run", s.Run(ctx), context.Canceled)
		s.is("left", s.sched.Inspect().Live(), 0)
		s.is("unwound", len(s.lines), 20)
		s.lines = nil
		s.spawn("next", func(f *Fiber) { s.trace(f, "runs") })
		s.run()
		s.traced("next: runs")
	})
}

func TestARunGoesOnAfterADeadlockWasBroken(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		receive := func(f *Fiber) { _, _, err := Recv(f, ch); s.trace(f, "%v", err) }
		first := s.spawn("first", receive)
		second := s.spawn("second", receive)
		s.spawn("third", receive)
		s.is("blocked", len(s.deadlock().Fibers), 3)
		s.ok(s.sched.Cancel(first.ID(), errStop))
		s.is("blocked", len(s.deadlock().Fibers), 2)
		s.ok(s.sched.Inbox().Kill(second.ID(), errStop))
		s.is("blocked", len(s.deadlock().Fibers), 1)
		s.spawn("helper", func(f *Fiber) { s.ok(Send(f, ch, 1)) })
		s.run()
		s.traced("first: cancelled: the user closed the window",
			"second: killed: scheduler: fiber killed: the user closed the window", "third: <nil>")
	})
}

func TestTheEndOfTheMainFiberEndsTheOthers(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("other", func(f *Fiber) { s.interrupted(f.Sleep(time.Hour), true, scheduler.ErrMainReturned) })
		_, err := s.GoWith("main", func(f *Fiber) (any, error) { return nil, f.Sleep(time.Second) }, scheduler.Options{Main: true})
		s.ok(err)
		s.run()
		s.is("now", s.sched.Now().String(), "1s")
	})
}

func TestAStartBeyondTheLimitIsAnsweredWithTheLimit(t *testing.T) {
	eachWith(t, Config{Config: scheduler.Config{MaxFibers: 1}}, func(s *testRun) {
		first, err := s.Start("first", func(f *Fiber) (any, error) { return nil, f.Yield() })
		s.ok(err)
		second, err := s.Start("second", func(*Fiber) (any, error) { return nil, nil })
		s.ok(err)
		s.run()
		_, err = first.Result(t.Context())
		s.ok(err)
		_, err = second.Result(t.Context())
		s.fails("second", err, scheduler.ErrTooManyFibers)
	})
}

func TestEveryStartThatWasAcceptedIsAnsweredThoughTheRuntimeCloses(t *testing.T) {
	each(t, func(s *testRun) {
		var callers sync.WaitGroup
		started := make(chan struct{}, 1)
		for i := range 3 {
			callers.Go(func() {
				for n := 0; ; n++ {
					h, err := s.Start(fmt.Sprint(i, n), func(f *Fiber) (any, error) { return nil, external(f) })
					if err != nil {
						s.fails("start", err, scheduler.ErrStopped)
						return
					}
					select {
					case started <- struct{}{}:
					default:
					}
					callers.Go(func() {
						_, err := h.Result(context.Background())
						s.fails("its end", err, scheduler.ErrStopped)
					})
				}
			})
		}
		<-started
		s.Close()
		callers.Wait()
	})
}
