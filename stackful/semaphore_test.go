package stackful

import (
	"testing"
	"time"

	"github.com/selvage-dev/selvage/wait"
)

func TestALargeRequestIsNotOvertakenBySmallOnes(t *testing.T) {
	each(t, func(s *testRun) {
		sem := wait.NewSemaphore(3)
		take := func(n int64) func(*Fiber) {
			return func(f *Fiber) {
				s.ok(f.Acquire(sem, n))
				s.trace(f, "%d at %v", n, f.Now())
				s.ok(f.Sleep(time.Second))
				s.ok(f.Release(sem, n))
			}
		}
		s.spawn("a", take(2))
		s.spawn("b", take(3))
		s.spawn("c", take(1))
		s.spawn("barger", func(f *Fiber) {
			got, err := f.TryAcquire(sem, 1)
			s.trace(f, "%v %v", got, err)
		})
		s.run()
		s.traced("a: 2 at 0s", "barger: false <nil>", "b: 3 at 1s", "c: 1 at 2s")
		s.is("free", sem.Free(), int64(3))
	})
}

func TestWhoGivesUpWaitingForPermitsLetsThoseBehindItGoOn(t *testing.T) {
	each(t, func(s *testRun) {
		for how, end := range map[string]func(big *Task){
			"timeout": func(*Task) {},
			"cancel":  func(big *Task) { s.ok(s.sched.Cancel(big.ID(), errStop)) },
			"kill":    func(big *Task) { s.ok(s.sched.Kill(big.ID(), errStop)) },
		} {
			sem := wait.NewSemaphore(2)
			s.spawn("holder", func(f *Fiber) { s.ok(f.Acquire(sem, 1)); s.ok(f.Sleep(time.Hour)); s.ok(f.Release(sem, 1)) })
			big := s.spawn("big", func(f *Fiber) {
				s.is(how+" ended it", f.AcquireUntil(sem, 2, f.Within(time.Second)) != nil, true)
				s.is("held", sem.Held(f.ID()), int64(0))
			})
			s.spawn("small", func(f *Fiber) { s.ok(f.Acquire(sem, 1)); s.trace(f, "in"); s.ok(f.Release(sem, 1)) })
			s.spawn("user", func(f *Fiber) { s.ok(f.Sleep(time.Second / 2)); end(big) })
			s.run()
			s.traced("small: in")
			s.is("waiting", sem.Source().(interface{ Waiting() int }).Waiting(), 0)
		}
	})
}

func TestThePermitsOfADeadFiberGoBackHoweverItGotThem(t *testing.T) {
	each(t, func(s *testRun) {
		sem := wait.NewSemaphore(4)
		s.spawn("holder", func(f *Fiber) {
			s.ok(f.Acquire(sem, 1))
			s.ok(f.Acquire(sem, 2))
			s.ok(f.Release(sem, 1))
			s.ok(f.Yield())
			panic("boom")
		})
		s.spawn("parked", func(f *Fiber) {
			s.ok(f.Acquire(sem, 3)) // was not free while the holder lived
			s.trace(f, "in")
			s.ok(s.sched.Kill(f.ID(), nil))
		})
		s.spawn("last", func(f *Fiber) { s.ok(f.Acquire(sem, 4)); s.trace(f, "in"); s.ok(f.Release(sem, 4)) })
		s.run()
		s.traced("parked: in", "last: in")
		s.is("free", sem.Free(), int64(4))
	})
}

func TestPermitsGivenToAFiberThatIsKilledBeforeItRunsGoBack(t *testing.T) {
	each(t, func(s *testRun) {
		sem := wait.NewSemaphore(1)
		var victim *Task
		s.spawn("holder", func(f *Fiber) {
			s.ok(f.Acquire(sem, 1))
			s.ok(f.Yield())
			s.ok(f.Release(sem, 1))
			s.is("held", sem.Held(victim.ID()), int64(1))
			s.ok(s.sched.Kill(victim.ID(), errStop))
		})
		victim = s.spawn("victim", func(f *Fiber) { s.interrupted(f.Acquire(sem, 1), true, errStop) })
		s.run()
		s.is("free", sem.Free(), int64(1))
	})
}

func TestMisuseOfASemaphoreIsAnErrorWithNumbers(t *testing.T) {
	each(t, func(s *testRun) {
		sem := wait.NewSemaphore(3)
		sem.SetName("db")
		s.spawn("fiber", func(f *Fiber) {
			for _, n := range []int64{-1, 0, 4} {
				err := f.Acquire(sem, n)
				s.fails("acquire", err, wait.ErrPermits)
				s.says("acquire", err, `semaphore "db"`, "of 3", f.ID().String())
			}
			s.fails("release of none", f.Release(sem, 1), wait.ErrNotOwner)
			s.ok(f.Acquire(sem, 1))
			s.fails("release of more", f.Release(sem, 2), wait.ErrNotOwner)
			s.fails("release of 0", f.Release(sem, 0), wait.ErrPermits)
			s.ok(f.Release(sem, 1))
		})
		s.run()
	})
}
