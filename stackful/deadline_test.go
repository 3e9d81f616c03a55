package stackful

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

func TestEveryBlockingCallEndsAtItsDeadlineAndLeavesNothingBehind(t *testing.T) {
	each(t, func(s *testRun) {
		full, empty, m := wait.NewChan[int](0), wait.NewChan[int](0), wait.NewMutex(wait.Poison)
		o := others(s)
		s.spawn("owner", func(f *Fiber) { s.ok(f.Lock(m)); o.take(f); s.ok(f.Sleep(time.Minute)) })
		task := s.spawn("joined", func(f *Fiber) { s.ok(f.Sleep(time.Minute)) })
		blocks := []func(f *Fiber, by fiber.Time) error{
			func(f *Fiber, by fiber.Time) error { return SendUntil(f, full, 1, by) },
			func(f *Fiber, by fiber.Time) error { _, _, err := RecvUntil(f, empty, by); return err },
			func(f *Fiber, by fiber.Time) error {
				_, err := f.SelectUntil(wait.NewSelect(wait.RecvFrom(empty), wait.SendTo(full, 1)), by)
				return err
			},
			func(f *Fiber, by fiber.Time) error { return f.LockUntil(m, by) },
			func(f *Fiber, by fiber.Time) error { _, err := f.JoinUntil(task, by); return err },
		}
		for i := range o.blocks(task, 0) {
			blocks = append(blocks, func(f *Fiber, by fiber.Time) error { return o.blocks(task, by)[i](f) })
		}
		for _, block := range blocks {
			s.spawn("patient", func(f *Fiber) {
				s.fails("within a second", block(f, f.Within(time.Second)), ErrTimeout)
				s.is("now", f.Now().String(), "1s")
				s.fails("with a deadline that is past", block(f, f.Now()-1), ErrTimeout)
				s.is("now", f.Now().String(), "1s")
				s.trace(f, "done")
			})
		}
		s.spawn("inspector", func(f *Fiber) {
			s.ok(f.Sleep(time.Second + 1))
			s.sched.Inspect().Verify()
			receivers, _ := empty.Waiting()
			_, senders := full.Waiting()
			s.is("receivers", receivers, 0)
			s.is("senders", senders, 0)
			s.is("lockers", m.Waiting(), 0)
			o.noneWaits()
		})
		s.run()
		s.is("ended", len(s.lines), len(blocks))
	})
}

func TestAnOperationMayHaveADeadlineToo(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("reader", func(f *Fiber) {
			tok, err := s.sched.Ops().Submit()
			s.ok(err)
			_, _, err = f.Await(fiber.OnIO(tok).WithDeadline(f.Within(time.Second)), nil)
			s.fails("read", err, ErrTimeout)
			s.is("its completion", s.sched.Ops().Complete(tok, ioqueue.Completion{}), ioqueue.Late)
		})
		s.run()
	})
}

func TestWhatComesBeforeTheDeadlineWinsAndTheDeadlineIsForgotten(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		s.spawn("receiver", func(f *Fiber) {
			v, ok, err := RecvUntil(f, ch, f.Within(time.Second))
			s.trace(f, "%d %v %v", v, ok, err)
			s.ok(f.Sleep(time.Minute)) // the old deadline does not end this
			s.trace(f, "%v", f.Now())
		})
		s.spawn("sender", func(f *Fiber) { s.ok(f.Sleep(time.Second - 1)); s.ok(Send(f, ch, 42)) })
		s.run()
		s.traced("receiver: 42 true <nil>", "receiver: 1m0.999999999s")
	})
}

func TestEqualDeadlinesEndInTheOrderTheyWereSet(t *testing.T) {
	each(t, func(s *testRun) {
		ch := wait.NewChan[int](0)
		for _, name := range []string{"a", "b", "c"} {
			s.spawn(name+" sleeps", func(f *Fiber) { s.ok(f.Sleep(time.Second)); s.trace(f, "%v", f.Now()) })
			s.spawn(name+" waits", func(f *Fiber) {
				_, _, err := RecvUntil(f, ch, f.Within(time.Second))
				s.fails("receive", err, ErrTimeout)
				s.trace(f, "%v", f.Now())
			})
		}
		s.run()
		s.traced("a sleeps: 1s", "a waits: 1s", "b sleeps: 1s", "b waits: 1s", "c sleeps: 1s", "c waits: 1s")
	})
}

func TestVirtualTimeGoesFromDeadlineToDeadlineInOrder(t *testing.T) {
	each(t, func(s *testRun) {
		for i, d := range []time.Duration{5, 3, 3600e9, 0, 3, 1} {
			s.spawn(string(rune('a'+i)), func(f *Fiber) { s.ok(f.Sleep(d)); s.trace(f, "%v", f.Now()) })
		}
		s.run()
		s.traced("d: 0s", "f: 1ns", "b: 3ns", "e: 3ns", "a: 5ns", "c: 1h0m0s")
	})
}

func TestTimeStandsStillWhileAnythingCanRun(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("sleeper", func(f *Fiber) { s.ok(f.Sleep(1)); s.trace(f, "awake") })
		s.spawn("busy", func(f *Fiber) {
			for range 100 {
				s.ok(f.Yield())
			}
			s.trace(f, "done at %v", f.Now())
		})
		s.run()
		s.traced("busy: done at 0s", "sleeper: awake")
	})
}

func TestAnImpossibleTimeoutIsRefused(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("fiber", func(f *Fiber) {
			s.ok(f.Sleep(1))
			s.fails("negative", f.Sleep(-1), wait.ErrDuration)
			s.fails("too long", f.Sleep(1<<63-1), wait.ErrDuration)
			s.is("message", f.Sleep(-time.Second).Error(),
				"wait: bad duration: -1 s is negative; want 0 or more, up to about 292 years")
			s.is("a negative Within", f.Within(-time.Hour), f.Now())
			s.fails("is over at once", f.forever(f.Within(-time.Hour)), ErrTimeout)
			s.is("now", f.Now(), fiber.Time(1))
		})
		s.run()
	})
}
