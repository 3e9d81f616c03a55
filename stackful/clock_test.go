package stackful

import (
	"context"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// onClock runs a test on both backings, each with a new clock.
func onClock[C scheduler.Clock](t *testing.T, clock func() C, body func(s *testRun, c C)) {
	for _, b := range []Backing{Coroutine, Goroutine} {
		t.Run(b.String(), func(t *testing.T) {
			c := clock()
			body(newTestRun(t, Config{Config: scheduler.Config{Clock: c}, Backing: b}), c)
		})
	}
}

func TestOnTheWallClockASleepTakesItsTime(t *testing.T) {
	onClock(t, wallclock.New, func(s *testRun, c *wallclock.Clock) {
		s.spawn("sleeper", func(f *Fiber) {
			began := c.Now()
			s.ok(f.Sleep(3 * time.Millisecond))
			if took := time.Duration(c.Now() - began); took < 3*time.Millisecond {
				t.Errorf("slept %v", took)
			}
		})
		s.run()
	})
}

func TestAnEarlierDeadlineIsNoticedWhileTheLoopWaitsForALaterOne(t *testing.T) {
	onClock(t, wallclock.New, func(s *testRun, _ *wallclock.Clock) {
		asleep := make(chan fiber.ID, 1)
		s.spawn("long", func(f *Fiber) {
			asleep <- f.ID()
			s.interrupted(f.Sleep(time.Hour), false, errStop)
		})
		s.serve(func() {
			long := <-asleep
			_, err := s.Execute(t.Context(), "short", func(f *Fiber) (any, error) {
				s.ok(f.Sleep(time.Millisecond))
				return nil, s.sched.Cancel(long, errStop)
			})
			s.ok(err)
		})
	})
}

func TestTheEndOfTheContextEndsAWaitOnTheWallClock(t *testing.T) {
	onClock(t, wallclock.New, func(s *testRun, _ *wallclock.Clock) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		s.spawn("sleeper", func(f *Fiber) { s.interrupted(f.Sleep(time.Hour), true, context.DeadlineExceeded) })
		s.spawn("waiter", func(f *Fiber) { s.interrupted(external(f), true, context.DeadlineExceeded) })
		s.fails("run", s.Run(ctx), context.DeadlineExceeded)
	})
}

// spy is a virtual clock that counts how often the loop rested.
type spy struct {
	*scheduler.VirtualClock
	rests int
}

func (c *spy) Wait(ctx context.Context, until fiber.Time, bell <-chan struct{}) {
	c.rests++
	c.VirtualClock.Wait(ctx, until, bell)
}

func TestAnIdleLoopRestsOncePerDeadlineAndDoesNotPoll(t *testing.T) {
	newSpy := func() *spy { return &spy{VirtualClock: scheduler.NewVirtualClock()} }
	onClock(t, newSpy, func(s *testRun, c *spy) {
		s.spawn("sleeper", func(f *Fiber) {
			for range 5 {
				s.ok(f.Sleep(time.Hour))
			}
		})
		s.spawn("waiter", func(f *Fiber) { s.fails("wait", f.forever(f.Within(150*time.Minute)), ErrTimeout) })
		s.run()
		s.is("rests", c.rests, 6)
	})
}

// restless is a clock on which time passes while fibers run.
type restless struct{ now fiber.Time }

func (c *restless) Now() fiber.Time { c.now += 1000; return c.now }

func (c *restless) Wait(_ context.Context, until fiber.Time, _ <-chan struct{}) { c.now = until }

func TestASpinningFiberStarvesNoTimer(t *testing.T) {
	onClock(t, func() *restless { return new(restless) }, func(s *testRun, _ *restless) {
		awake := false
		s.spawn("sleeper", func(f *Fiber) { s.ok(f.Sleep(50 * 1000)); awake = true })
		s.spawn("spinner", func(f *Fiber) {
			turns := 0
			for !awake && turns < 10_000 {
				turns++
				s.ok(f.Yield())
			}
			s.is("woken in time", awake, true)
		})
		s.run()
	})
}

func TestASpinningFiberStarvesNoCompletionAndNoCommand(t *testing.T) {
	each(t, func(s *testRun) {
		tokens := make(chan fiber.Token, 1)
		read := false
		s.spawn("reader", func(f *Fiber) {
			tok, err := s.sched.Ops().Submit()
			s.ok(err)
			tokens <- tok
			_, _, err = f.Await(fiber.OnIO(tok), nil)
			s.ok(err)
			done, _ := s.sched.Ops().Completion(tok)
			s.is("bytes", done.N, 512)
			read = true
		})
		spinner := s.spawn("spinner", func(f *Fiber) {
			for f.Yield() == nil {
			}
			s.is("read before the cancel", read, true)
		})
		s.serve(func() {
			s.ok(s.sched.Inbox().Complete(<-tokens, ioqueue.Completion{N: 512}))
			_, err := s.Execute(t.Context(), "user", func(f *Fiber) (any, error) {
				for !read {
					s.ok(f.Yield())
				}
				return nil, s.sched.Cancel(spinner.ID(), nil)
			})
			s.ok(err)
		})
	})
}
