package stackful

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

func TestReadersShareALockAndAWriterThatWaitsHoldsBackLaterOnes(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewRWMutex(wait.Poison)
		read := func(f *Fiber) {
			s.ok(f.RLock(m))
			s.trace(f, "in at %v with %d", f.Now(), m.Readers())
			s.ok(f.Sleep(time.Second))
			s.ok(f.RUnlock(m))
		}
		s.spawn("r1", read)
		s.spawn("r2", read)
		s.spawn("w", func(f *Fiber) {
			s.ok(f.Lock(m))
			s.trace(f, "alone at %v: %v %d", f.Now(), m.Writer() == f.ID(), m.Readers())
			s.ok(f.Sleep(time.Second))
			s.ok(f.Unlock(m))
		})
		s.spawn("barger", func(f *Fiber) {
			got, err := f.TryRLock(m)
			s.trace(f, "%v %v", got, err)
		})
		s.spawn("r3", read)
		s.spawn("r4", read)
		s.run()
		s.traced("r1: in at 0s with 1", "r2: in at 0s with 2", "barger: false <nil>", "w: alone at 1s: true 0",
			"r3: in at 2s with 2", "r4: in at 2s with 2")
	})
}

func TestAWriterThatGivesUpLetsTheReadersBehindItIn(t *testing.T) {
	each(t, func(s *testRun) {
		ends := map[string]func(f *Fiber, writer *Task){
			"timeout": func(*Fiber, *Task) {},
			"cancel":  func(f *Fiber, w *Task) { s.ok(s.sched.Cancel(w.ID(), errStop)) },
			"kill":    func(f *Fiber, w *Task) { s.ok(s.sched.Kill(w.ID(), errStop)) },
		}
		for how, end := range ends {
			m := wait.NewRWMutex(wait.Poison)
			s.spawn("first", func(f *Fiber) { s.ok(f.RLock(m)); s.ok(f.Sleep(time.Hour)); s.ok(f.RUnlock(m)) })
			writer := s.spawn("writer", func(f *Fiber) {
				err := f.LockUntil(m, f.Within(time.Second))
				s.is(how+" ended it", err != nil, true)
				s.is(how+" left it the lock", m.Writer() == f.ID(), false)
			})
			s.spawn("second", func(f *Fiber) { s.ok(f.RLock(m)); s.trace(f, "in"); s.ok(f.RUnlock(m)) })
			s.spawn("user", func(f *Fiber) { s.ok(f.Sleep(time.Second / 2)); end(f, writer) })
			s.run()
			s.traced("second: in")
			s.is("waiting", m.Source().(interface{ Waiting() int }).Waiting(), 0)
		}
	})
}

func TestADeadReaderGivesTheLockBackAndADeadWriterPoisonsIt(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewRWMutex(wait.Poison)
		m.SetName("map")
		s.spawn("reader", func(f *Fiber) { s.ok(f.RLock(m)); s.ok(f.Yield()); panic("boom") })
		dead := s.spawn("writer", func(f *Fiber) { s.ok(f.Lock(m)); s.ok(f.Yield()); panic("boom") })
		s.spawn("parked", func(f *Fiber) { s.fails("parked", f.RLock(m), wait.ErrPoisoned) })
		s.run()
		s.spawn("later", func(f *Fiber) {
			s.says("read", f.RLock(m), "read lock", `rwmutex "map"`, "poisoned", dead.ID().String())
			s.says("write", f.Lock(m), `rwmutex "map"`, "poisoned", dead.ID().String())
			s.is("repaired", m.Repair(), true)
			s.ok(f.Lock(m))
			s.ok(f.Unlock(m))
		})
		s.run()
		s.is("readers", m.Readers(), 0)
	})
}

func TestAReadLockHandedToAFiberThatIsKilledBeforeItRunsGoesBack(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewRWMutex(wait.Poison)
		var victim *Task
		s.spawn("writer", func(f *Fiber) {
			s.ok(f.Lock(m))
			s.ok(f.Yield())
			s.ok(f.Unlock(m))
			s.is("readers", m.Readers(), 1)
			s.ok(s.sched.Kill(victim.ID(), nil))
		})
		victim = s.spawn("victim", func(f *Fiber) { s.trace(f, "%v", f.RLock(m)) })
		s.spawn("heir", func(f *Fiber) { s.trace(f, "%v", f.Lock(m)); s.ok(f.Unlock(m)) })
		s.run()
		s.traced("victim: killed: scheduler: fiber killed", "heir: <nil>")
		s.is("writer", m.Writer(), fiber.ID(0))
	})
}

func TestMisuseOfAnRWMutexIsAnErrorNotAWait(t *testing.T) {
	each(t, func(s *testRun) {
		m := wait.NewRWMutex(wait.Poison)
		m.SetName("map")
		s.spawn("owner", func(f *Fiber) {
			s.fails("unlock of a free one", f.Unlock(m), wait.ErrNotOwner)
			s.fails("read unlock of a free one", f.RUnlock(m), wait.ErrNotOwner)
			s.ok(f.RLock(m))
			s.fails("second read", f.RLock(m), wait.ErrDoubleLock)
			s.fails("write while it reads", f.Lock(m), wait.ErrDoubleLock)
			s.fails("unlock of a reader", f.Unlock(m), wait.ErrNotOwner)
			s.ok(f.RUnlock(m))
			s.ok(f.Lock(m))
			err := f.RLock(m)
			s.fails("read while it writes", err, wait.ErrDoubleLock)
			s.says("its text", err, `rwmutex "map"`, "owner "+f.ID().String())
			s.ok(f.Yield())
			s.ok(f.Unlock(m))
		})
		s.spawn("other", func(f *Fiber) {
			err := f.Unlock(m)
			var refused *wait.Error
			s.is("typed", errors.As(err, &refused), true)
			s.is("its owner", refused.Owner, m.Writer())
			s.fails("read unlock", f.RUnlock(m), wait.ErrNotOwner)
		})
		s.run()
	})
}
