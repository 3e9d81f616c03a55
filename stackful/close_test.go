package stackful

import (
	"context"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// Every run of a test ends with a Close and a search for goroutines that are left; these are
// about what Close can find.

func (s *testRun) closes(unwound int) {
	s.t.Helper()
	done := 0
	for _, line := range s.lines {
		if line == "unwound" {
			done++
		}
	}
	s.is("unwound before", done, 0)
	s.Close()
	for _, line := range s.lines {
		if line == "unwound" {
			done++
		}
	}
	s.is("unwound", done, unwound)
	s.is("left", s.sched.Inspect().Live(), 0)
}

func (s *testRun) unwound() { s.lines = append(s.lines, "unwound") }

func TestCloseDropsFibersThatNeverStarted(t *testing.T) {
	each(t, func(s *testRun) {
		task := s.spawn("never", func(*Fiber) { t.Error("ran") })
		s.closes(0)
		_, err, done := task.Result()
		s.is("done", done, true)
		s.fails("its end", err, scheduler.ErrStopped)
		s.fails("its end", err, scheduler.ErrKilled)
	})
}

func TestCloseUnwindsFibersWhereverTheyStand(t *testing.T) {
	each(t, func(s *testRun) {
		ch, m := wait.NewChan[int](0), wait.NewMutex(wait.Poison)
		s.spawn("ready", func(f *Fiber) {
			defer s.unwound()
			s.ok(f.Lock(m))
			defer func() { s.ok(f.Unlock(m)) }()
			s.interrupted(f.Yield(), true, scheduler.ErrStopped)
		})
		forever := s.spawn("endless", func(f *Fiber) { defer s.unwound(); _ = f.forever(f.Within(1 << 60)) })
		for _, block := range []func(*Fiber) error{
			func(f *Fiber) error { return f.Sleep(time.Hour) },
			func(f *Fiber) error { return Send(f, ch, 1) },
			func(f *Fiber) error { return f.Lock(m) },
			func(f *Fiber) error { _, err := f.Join(forever); return err },
			func(f *Fiber) error { return f.Shield(func() error { return f.Lock(m) }) },
			func(f *Fiber) error { _, err := f.Select(wait.NewSelect(wait.SendTo(ch, 1))); return err },
			func(f *Fiber) error {
				call, err := s.sched.AcquireTrampoline()
				s.ok(err)
				defer s.sched.ReleaseTrampoline(call)
				return f.Lock(m)
			},
		} {
			s.spawn("parked", func(f *Fiber) {
				defer s.unwound()
				s.interrupted(block(f), true, scheduler.ErrStopped)
			})
		}
		s.runFor(1)
		s.closes(9)
	})
}

// runFor drives the fibers a few turns as a host that owns the loop does.
func (s *testRun) runFor(turns int) {
	for range turns {
		s.sched.Poll()
		for slot := s.sched.ScheduleNext(); slot != nil; slot = s.sched.ScheduleNext() {
			for s.sched.Finish(s.Resume(s.sched, slot)) {
			}
		}
	}
}

func TestCloseEndsADeadlock(t *testing.T) {
	each(t, func(s *testRun) {
		forks := [2]*wait.Mutex{wait.NewMutex(wait.Poison), wait.NewMutex(wait.Poison)}
		for i := range forks {
			s.spawn("philosopher", func(f *Fiber) {
				defer s.unwound()
				s.ok(f.Lock(forks[i]))
				s.ok(f.Yield())
				s.interrupted(f.Lock(forks[1-i]), true, scheduler.ErrStopped)
			})
		}
		s.deadlock()
		s.closes(2)
	})
}

func TestCloseUnwindsAFiberThatIgnoresTheKill(t *testing.T) {
	each(t, func(s *testRun) {
		ch, done := wait.NewChan[int](0), s.spawn("done", func(*Fiber) {})
		s.run()
		for _, call := range []func(*Fiber){
			func(f *Fiber) { _, _, _ = Recv(f, ch) },
			func(f *Fiber) { _, _, _ = TryRecv(f, ch) },
			func(f *Fiber) { _ = f.Yield() },
			func(f *Fiber) { _ = f.Checkpoint() },
			func(f *Fiber) { _ = f.Sleep(1) },
			func(f *Fiber) { _ = f.Sleep(-1) },
			func(f *Fiber) { _, _ = f.Join(done) },
			func(f *Fiber) { _, _ = s.Go("child", func(*Fiber) (any, error) { return nil, nil }); _ = f.Yield() },
		} {
			s.spawn("stubborn", func(f *Fiber) {
				defer s.unwound()
				_ = f.Yield()
				for {
					func() {
						defer func() { s.is("recovered", recover(), nil) }()
						call(f)
					}()
				}
			})
		}
		s.runFor(1)
		s.closes(8)
	})
}

func TestCloseUnwindsAFiberThatBlocksInItsDefers(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("tidy", func(f *Fiber) {
			defer s.unwound()
			defer func() {
				defer func() {
					for f.Sleep(1) != nil { // never lets go
					}
				}()
				s.interrupted(f.Sleep(1), true, scheduler.ErrStopped)
			}()
			s.interrupted(f.Sleep(1), true, scheduler.ErrStopped)
		})
		s.runFor(1)
		s.closes(1)
	})
}

func TestNothingIsSpawnedByAFiberThatIsBeingClosed(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("parent", func(f *Fiber) {
			defer func() {
				_, err := s.Go("child", func(*Fiber) (any, error) { t.Error("ran"); return nil, nil })
				s.fails("spawn", err, scheduler.ErrStopped)
				s.unwound()
			}()
			_ = f.forever(f.Within(time.Hour))
		})
		s.runFor(1)
		s.closes(1)
	})
}

func TestCloseContainsWhatHappensWhileAFiberUnwinds(t *testing.T) {
	each(t, func(s *testRun) {
		for _, end := range []func(){func() { explode("unwinding") }, walkOut} {
			victim := s.spawn("victim", func(f *Fiber) {
				defer s.unwound()
				defer end()
				defer func() {
					for {
						_ = f.Yield()
					}
				}()
				_ = f.forever(f.Within(time.Hour))
			})
			s.spawn("witness", func(f *Fiber) {
				_, err := f.Join(victim)
				s.interrupted(err, true, scheduler.ErrStopped)
			})
		}
		s.runFor(1)
		s.closes(2)
	})
}

func TestCloseIsNotHeldUpByAnOpenSender(t *testing.T) {
	each(t, func(s *testRun) {
		sender := s.sched.Inbox().NewSender()
		defer sender.Close()
		s.spawn("parked", func(f *Fiber) { defer s.unwound(); _ = f.forever(f.Within(1 << 60)) })
		s.runFor(1)
		s.closes(1)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s.fails("a run without a fiber", s.Run(ctx), context.Canceled)
	})
}

func TestCloseTwiceIsCloseOnce(t *testing.T) {
	each(t, func(s *testRun) {
		s.spawn("parked", func(f *Fiber) { defer s.unwound(); _ = f.forever(f.Within(1 << 60)) })
		s.runFor(1)
		s.closes(1)
		s.Close()
		_, err := s.Start("late", func(*Fiber) (any, error) { return nil, nil })
		s.fails("start", err, scheduler.ErrStopped)
	})
}
