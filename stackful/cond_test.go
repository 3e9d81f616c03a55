package stackful

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// guarded is a mutex with a cond of it, and the fibers that wait for a signal.
type guarded struct {
	*testRun
	m *wait.Mutex
	c *wait.Cond
}

func guard(s *testRun, policy wait.OwnerDeath) *guarded {
	g := &guarded{testRun: s, m: wait.NewMutex(policy)}
	g.c = wait.NewCond(g.m)
	g.m.SetName("queue")
	g.c.SetName("filled")
	return g
}

// waiter waits for one signal and says how that ended and whether it has the lock.
func (g *guarded) waiter(name string, d time.Duration) *Task {
	return g.spawn(name, func(f *Fiber) {
		g.ok(f.Lock(g.m))
		by := fiber.Never
		if d > 0 {
			by = f.Within(d)
		}
		said := strings.TrimSuffix(fmt.Sprint(f.WaitUntil(g.c, by)), " at "+below(0))
		g.trace(f, "%s at %v, owner: %v", said, f.Now(), g.m.Owner() == f.ID())
		if g.m.Owner() == f.ID() {
			_ = f.Sleep(time.Second) // not if it is killed
			g.ok(f.Unlock(g.m))
		}
	})
}

func TestSignalledFibersGoOnInOrderAndEachHasTheLock(t *testing.T) {
	each(t, func(s *testRun) {
		g := guard(s, wait.Poison)
		g.waiter("a", 0)
		g.waiter("b", 0)
		g.waiter("c", 0)
		s.spawn("producer", func(f *Fiber) {
			s.ok(f.Lock(g.m))
			s.ok(f.Signal(g.c))
			s.ok(f.Sleep(time.Second))
			s.trace(f, "still mine: %v", g.m.Owner() == f.ID())
			s.ok(f.Unlock(g.m))
			s.ok(f.Broadcast(g.c))
			s.ok(f.Broadcast(g.c)) // without waiters
		})
		s.run()
		s.traced("producer: still mine: true", "a: <nil> at 1s, owner: true", "b: <nil> at 2s, owner: true", "c: <nil> at 3s, owner: true")
	})
}

func TestAWaitThatTimesOutOrIsCancelledHasTheLockAgain(t *testing.T) {
	each(t, func(s *testRun) {
		g := guard(s, wait.Poison)
		g.waiter("patient", 2*time.Second)
		cancelled := g.waiter("cancelled", 0)
		s.spawn("holder", func(f *Fiber) {
			s.ok(f.Lock(g.m))
			s.ok(f.Sleep(time.Second))
			s.ok(s.sched.Cancel(cancelled.ID(), errStop)) // waits for the lock now, masked
			s.ok(f.Sleep(2 * time.Second))
			s.ok(f.Unlock(g.m))
		})
		s.run()
		s.traced("cancelled: cancelled: the user closed the window at 3s, owner: true",
			"patient: stackful: timed out at 4s, owner: true")
		s.is("waiting", g.c.Source().(interface{ Waiting() int }).Waiting(), 0)
		s.ok(g.m.Err())
	})
}

func TestAKilledWaiterDoesNotGetTheLockAndItsSignalGoesOn(t *testing.T) {
	each(t, func(s *testRun) {
		g := guard(s, wait.Poison)
		parked, chosen := g.waiter("parked", 0), g.waiter("chosen", 0)
		g.waiter("next", 0)
		s.spawn("user", func(f *Fiber) {
			s.ok(s.sched.Kill(parked.ID(), errStop))
			s.ok(f.Yield())
			s.ok(f.Signal(g.c))
			s.is("owner", g.m.Owner(), chosen.ID())
			s.ok(s.sched.Kill(chosen.ID(), errStop))
		})
		s.run()
		killed := "killed: scheduler: fiber killed: the user closed the window at 0s, owner: "
		s.traced("parked: "+killed+"false", "chosen: "+killed+"true", "next: <nil> at 0s, owner: true")
	})
}

func TestAPoisonedLockEndsTheWaitsForASignal(t *testing.T) {
	each(t, func(s *testRun) {
		g := guard(s, wait.Poison)
		g.waiter("waiter", 0)
		cancelled := g.waiter("cancelled", 0)
		timed := g.waiter("timed", time.Second)
		dead := s.spawn("owner", func(f *Fiber) {
			s.ok(f.Lock(g.m))
			s.ok(s.sched.Cancel(cancelled.ID(), errStop))
			s.ok(f.Sleep(2 * time.Second))
			panic("boom")
		})
		s.run()
		poisoned := `wait: lock: mutex "queue": the lock is poisoned: its owner died while it held it (owner ` + dead.ID().String()
		s.traced("cancelled: cancelled: the user closed the window at 2s, owner: false",
			"timed: "+poisoned+") at 2s, owner: false",
			"waiter: "+poisoned+") at 2s, owner: false")
		_, err, _ := timed.Result()
		s.ok(err)
	})
}

func TestAWaitForASignalAloneLeavesTheLock(t *testing.T) {
	each(t, func(s *testRun) {
		g := guard(s, wait.Poison)
		s.spawn("waiter", func(f *Fiber) {
			s.ok(f.Lock(g.m))
			s.fails("wait", f.AwaitSignal(g.c, f.Within(time.Second)), ErrTimeout)
			s.is("owner", g.m.Owner(), fiber.ID(0))
			s.ok(f.Lock(g.m))
			s.ok(f.AwaitSignal(g.c, fiber.Never))
			s.is("owner", g.m.Owner(), f.ID())
			s.ok(f.Unlock(g.m))
		})
		s.spawn("signaller", func(f *Fiber) { s.ok(f.Sleep(time.Minute)); s.ok(f.Signal(g.c)) })
		s.run()
	})
}

func TestMisuseOfACondNamesItAndTheOwner(t *testing.T) {
	each(t, func(s *testRun) {
		g := guard(s, wait.Poison)
		owner := s.spawn("owner", func(f *Fiber) {
			s.fails("wait without the lock", f.Wait(g.c), wait.ErrNotOwner)
			s.ok(f.Lock(g.m))
			s.ok(f.Yield())
			s.is("owner", g.m.Owner(), f.ID())
			s.ok(f.Unlock(g.m))
		})
		s.spawn("other", func(f *Fiber) {
			err := f.Wait(g.c)
			s.fails("wait", err, wait.ErrNotOwner)
			s.says("wait", err, `cond "filled"`, "owner "+owner.ID().String(), "tried by "+f.ID().String())
			s.says("a cond that was not made", caught(func() { _ = f.Wait(new(wait.Cond)) }), "no mutex", "NewCond")
			s.sched.Disarm()
		})
		s.run()
	})
}
