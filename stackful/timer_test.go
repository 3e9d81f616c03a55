package stackful

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// setFor is ResetTimer, d from now.
func (s *testRun) setFor(f *Fiber, tm *wait.Timer, d time.Duration) bool {
	s.t.Helper()
	won, err := f.ResetTimer(tm, f.Within(d))
	s.ok(err)
	return won
}

func (s *testRun) stopped(f *Fiber, tm *wait.Timer) bool {
	s.t.Helper()
	won, err := f.StopTimer(tm)
	s.ok(err)
	return won
}

func TestATimerWakesAllItsWaitersAndStaysFired(t *testing.T) {
	each(t, func(s *testRun) {
		tm := new(wait.Timer)
		for _, name := range []string{"a", "b"} {
			s.spawn(name, func(f *Fiber) {
				s.ok(f.WaitTimer(tm))
				s.trace(f, "%v", f.Now())
				s.ok(f.WaitTimer(tm))
				s.trace(f, "%v", f.Now())
			})
		}
		s.spawn("setter", func(f *Fiber) {
			s.is("won against nothing", s.setFor(f, tm, time.Second), false)
			s.is("won", s.setFor(f, tm, 3*time.Second), true)
		})
		s.run()
		s.traced("a: 3s", "a: 3s", "b: 3s", "b: 3s")
	})
}

// The traps of time.Timer: a stop that loses leaves nothing to drain, and a reset is
// never answered by the setting before it.
func TestAStopThatLosesLeavesNothingBehindForTheNextSetting(t *testing.T) {
	each(t, func(s *testRun) {
		tm := new(wait.Timer)
		s.spawn("main", func(f *Fiber) {
			s.setFor(f, tm, time.Second)
			s.ok(f.Sleep(2 * time.Second))
			s.is("stopped in time", s.stopped(f, tm), false)
			s.setFor(f, tm, time.Second)
			s.ok(f.WaitTimer(tm))
			s.trace(f, "%v", f.Now())
			s.setFor(f, tm, time.Second)
			s.is("stopped in time", s.stopped(f, tm), true)
			s.fails("wait", f.WaitTimerUntil(tm, f.Within(time.Minute)), ErrTimeout)
		})
		s.run()
		s.traced("main: 3s")
	})
}

func TestATimerIsOneCaseOfASelect(t *testing.T) {
	each(t, func(s *testRun) {
		ch, tm := wait.NewChan[int](0), new(wait.Timer)
		s.spawn("consumer", func(f *Fiber) {
			in := wait.RecvFrom(ch)
			s.setFor(f, tm, 2*time.Second)
			for {
				i, err := f.Select(wait.NewSelect(in, tm))
				s.ok(err)
				if i == 1 {
					s.trace(f, "idle for two seconds at %v", f.Now())
					return
				}
				s.is("won", s.setFor(f, tm, 2*time.Second), true)
				v, _ := in.Value()
				s.trace(f, "%d at %v", v, f.Now())
			}
		})
		s.spawn("producer", func(f *Fiber) {
			for i := range 3 {
				s.ok(f.Sleep(1500 * time.Millisecond))
				s.ok(Send(f, ch, i))
			}
		})
		s.run()
		s.traced("consumer: 0 at 1.5s", "consumer: 1 at 3s", "consumer: 2 at 4.5s", "consumer: idle for two seconds at 6.5s")
	})
}

func TestWaitingOnAStoppedTimerIsADeadlockThatNamesIt(t *testing.T) {
	each(t, func(s *testRun) {
		tm := new(wait.Timer)
		tm.SetName("egg")
		s.spawn("cook", func(f *Fiber) {
			s.setFor(f, tm, time.Minute)
			s.is("won", s.stopped(f, tm), true)
			s.interrupted(f.WaitTimer(tm), true, scheduler.ErrStopped)
		})
		if r := s.deadlock().String(); !strings.Contains(r, `timer "egg" (not set, waiting: 1)`) {
			s.t.Errorf("the report does not name it:\n%s", r)
		}
	})
}

func TestATimerWithoutWaitersDoesNotKeepTheRunFromEnding(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("main", func(f *Fiber) { s.setFor(f, new(wait.Timer), time.Hour) })
		s.run()
		s.is("now", s.sched.Now(), fiber.Time(0))
	})
}

func TestACancelledOrKilledFiberLeavesATimerToTheOthers(t *testing.T) {
	each(t, func(s *testRun) {
		tm := new(wait.Timer)
		cause := errors.New("enough")
		var gone []*Task
		for _, name := range []string{"cancelled", "killed"} {
			gone = append(gone, s.spawn(name, func(f *Fiber) {
				s.interrupted(f.WaitTimer(tm), name == "killed", cause)
				_, err := f.StopTimer(new(wait.Timer))
				s.ok(err) // also after a kill
			}))
		}
		s.spawn("waits", func(f *Fiber) {
			s.ok(f.WaitTimer(tm))
			s.trace(f, "%v", f.Now())
		})
		s.spawn("main", func(f *Fiber) {
			s.setFor(f, tm, time.Second)
			s.ok(s.sched.Cancel(gone[0].ID(), cause))
			s.ok(s.sched.Kill(gone[1].ID(), cause))
		})
		s.run()
		s.traced("waits: 1s")
	})
}

func TestATimerOfAnotherRuntimeIsRefused(t *testing.T) {
	tm := new(wait.Timer)
	for number := range uint16(2) {
		cfg := Config{}
		cfg.Number = number
		s := newTestRun(t, cfg)
		s.spawn("main", func(f *Fiber) {
			_, reset := f.ResetTimer(tm, f.Within(time.Second))
			_, stop := f.StopTimer(tm)
			for _, err := range []error{reset, stop, f.WaitTimerUntil(tm, f.Now())} {
				if foreign := errors.Is(err, wait.ErrForeign); foreign != (number == 1) {
					s.t.Errorf("runtime %d: %v", number, err)
				}
			}
		})
		s.run()
	}
}
