package stackful

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

func TestAMutexIsHandedOverWithoutAMomentOfNoOwner(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.Poison)
		var next *Task
		s.spawn("first", func(f *Fiber) {
			s.ok(f.Lock(m))
			s.ok(f.Yield())
			s.ok(f.Unlock(m))
			s.is("owner", m.Owner(), next.ID())
			taken, err := f.TryLock(m)
			s.trace(f, "barges in: %v %v", taken, err)
			s.ok(f.Lock(m))
			s.trace(f, "again")
			s.ok(f.Unlock(m))
		})
		next = s.spawn("next", func(f *Fiber) {
			s.ok(f.Lock(m))
			s.trace(f, "locked")
			s.ok(f.Unlock(m))
		})
		s.run()
		s.traced("first: barges in: false <nil>", "next: locked", "first: again")
	})
}

func TestALockIsServedInTheOrderOfArrival(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.Poison)
		for _, name := range []string{"a", "b", "c", "d"} {
			s.spawn(name, func(f *Fiber) {
				for range 2 {
					s.ok(f.Lock(m))
					s.ok(f.Yield())
					s.trace(f, "%v", f.Now())
					s.ok(f.Sleep(time.Second))
					s.ok(f.Unlock(m))
				}
			})
		}
		s.run()
		s.traced("a: 0s", "b: 1s", "c: 2s", "d: 3s", "a: 4s", "b: 5s", "c: 6s", "d: 7s")
	})
}

func TestTheLockOfAFailedFiberIsPoisoned(t *testing.T) {
	each(t, func(s *testRun) {
		ends := map[string]Func{
			"returns": func(*Fiber) (any, error) { return nil, errors.New("no luck") },
			"panics":  func(*Fiber) (any, error) { panic("boom") },
			"killed":  func(f *Fiber) (any, error) { return nil, s.sched.Kill(f.ID(), nil) },
		}
		for how, end := range ends {
			m := wait.NewMutex(wait.Poison)
			m.SetName(how)
			owner := s.start("owner", func(f *Fiber) (any, error) {
				s.ok(f.Lock(m))
				s.ok(f.Yield())
				return end(f)
			})
			s.spawn("parked", func(f *Fiber) { s.fails(how+", parked", f.Lock(m), wait.ErrPoisoned) })
			s.run()
			s.spawn("later", func(f *Fiber) {
				err := f.Lock(m)
				s.fails(how+", later", err, wait.ErrPoisoned)
				if !strings.Contains(err.Error(), owner.ID().String()) {
					t.Errorf("%v does not name the dead owner %v", err, owner.ID())
				}
				s.is("repaired", m.Repair(), true)
				s.ok(f.Lock(m))
				s.ok(f.Unlock(m))
			})
			s.run()
		}
	})
}

func TestARepairedLockIsNotHeldByThoseWhoWereTurnedAway(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.Poison)
		s.spawn("owner", func(f *Fiber) { s.ok(f.Lock(m)); s.ok(f.Yield()); panic("boom") })
		s.spawn("waiter", func(f *Fiber) {
			s.fails("lock", f.Lock(m), wait.ErrPoisoned) // it runs after the repair
			s.fails("unlock", f.Unlock(m), wait.ErrNotOwner)
		})
		s.spawn("repairer", func(f *Fiber) {
			for !m.Repair() {
				s.ok(f.Yield())
			}
			s.trace(f, "repaired")
		})
		s.run()
		s.traced("repairer: repaired")
	})
}

func TestTheLockOfADeadFiberIsHandedOnIfItsPolicySaysSo(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.HandOver)
		s.spawn("owner", func(f *Fiber) { s.ok(f.Lock(m)); s.ok(f.Yield()); panic("boom") })
		for _, name := range []string{"next", "last"} {
			s.spawn(name, func(f *Fiber) { s.trace(f, "%v", f.Lock(m)) }) // and dies with it
		}
		s.run()
		s.traced("next: <nil>", "last: <nil>")
		s.is("owner", m.Owner(), fiber.ID(0))
	})
}

func TestALockHandedToAFiberThatIsKilledBeforeItRunsGoesOn(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.HandOver)
		var victim *Task
		s.spawn("owner", func(f *Fiber) {
			s.ok(f.Lock(m))
			s.ok(f.Yield())
			s.ok(f.Unlock(m))
			s.is("owner", m.Owner(), victim.ID())
			s.ok(s.sched.Kill(victim.ID(), nil))
		})
		victim = s.spawn("victim", func(f *Fiber) { s.trace(f, "%v", f.Lock(m)) })
		s.spawn("heir", func(f *Fiber) { s.trace(f, "%v", f.Lock(m)) })
		s.run()
		s.traced("victim: killed: scheduler: fiber killed", "heir: <nil>")
	})
}

func TestMisuseOfALockIsAnErrorNotAWait(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewMutex(wait.Poison)
		s.spawn("owner", func(f *Fiber) {
			s.fails("unlock of a free one", f.Unlock(m), wait.ErrNotOwner)
			s.ok(f.Lock(m))
			s.fails("second lock", f.Lock(m), wait.ErrDoubleLock)
			s.ok(f.Yield())
			s.ok(f.Unlock(m))
		})
		s.spawn("other", func(f *Fiber) { s.fails("unlock", f.Unlock(m), wait.ErrNotOwner) })
		s.run()
	})
}

func TestADeadlockReportNamesTheCycle(t *testing.T) {
	each(t, func(s *testRun) {
		a, b := wait.NewMutex(wait.Poison), wait.NewMutex(wait.Poison)
		a.SetName("left")
		b.SetName("right")
		both := func(first, second *wait.Mutex) func(*Fiber) {
			return func(f *Fiber) {
				s.ok(f.Lock(first))
				s.ok(f.Yield())
				_ = f.Lock(second)
			}
		}
		s.spawn("philosopher 1", both(a, b))
		s.spawn("philosopher 2", both(b, a))
		r := s.deadlock()
		s.is("cycle", len(r.Cycle), 2)
		for _, want := range []string{`"philosopher 1"`, `"philosopher 2"`, `mutex "left"`, `mutex "right"`, "cycle: "} {
			if !strings.Contains(r.String(), want) {
				t.Errorf("the report does not say %s:\n%v", want, r)
			}
		}
	})
}
