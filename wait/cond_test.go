package wait

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// waits lets the owner wait on the cond, and delivers the lock to the next.
func waits(f *fake, c *Cond, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), c.Source())
	w, err := c.ParkWait(t, fib(id))
	if err != nil {
		f.tb.Fatalf("fiber %d waits: %v", id, err)
	}
	f.deliver(w)
	return t
}

// lockedAndWaiting makes each of the fibers lock and wait in turn.
func lockedAndWaiting(t *testing.T, f *fake, c *Cond, ids ...int) (tks []fiber.Ticket) {
	t.Helper()
	for _, id := range ids {
		locked(t, c.Mutex(), id)
		tks = append(tks, waits(f, c, id))
	}
	return tks
}

func TestWaitingGivesTheLockToTheNextInTheSameStep(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	locked(t, m, 1)
	next := parkedLock(f, m, 2)
	w := waits(f, c, 1)
	is(t, "owner", m.Owner(), fib(2))
	woke(t, f, fiber.OK, []fiber.Ticket{next}, w)
	is(t, "waiting", c.Source().(interface{ Waiting() int }).Waiting(), 1)
}

func TestASignalledWaiterWakesAsTheOwnerAndNotBefore(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1)
	locked(t, m, 2)
	f.deliver(c.Signal())
	woke(t, f, fiber.OK, nil, w[0]) // a wake now would only find the lock taken
	is(t, "in line", m.Waiting(), 1)
	wake, _ := m.Unlock(fib(2))
	is(t, "conds with waiters", len(m.conds), 0)
	f.deliver(wake)
	woke(t, f, fiber.OK, w)
	is(t, "owner", m.Owner(), fib(1))
	is(t, "collected", c.Collect(w[0]), true)
	is(t, "collected twice", c.Collect(w[0]), false)
	unlock(f, m, 1)
}

func TestASignalWithTheLockFreeHandsItOverAtOnce(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2)
	f.deliver(c.Signal())
	woke(t, f, fiber.OK, w[:1], w[1])
	is(t, "owner", m.Owner(), fib(1))
	unlock(f, m, 1)
	c.Signal() // not delivered yet, and still
	is(t, "conds with waiters", len(m.conds), 0)
	is(t, "a signal to nobody", NewCond(m).Signal().IsZero(), true)
	is(t, "a broadcast to nobody", NewCond(m).Broadcast().IsZero(), true)
}

func TestSignalledWaitersStandInLineBehindLockersThatCameBefore(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2)
	locked(t, m, 3)
	before := parkedLock(f, m, 4)
	f.deliver(c.Signal())
	after := parkedLock(f, m, 5)
	f.deliver(c.Signal())
	for i, next := range []fiber.Ticket{before, w[0], after, w[1]} {
		unlock(f, m, []int{3, 4, 1, 5}[i])
		is(t, "code", f.claim(next).Code, fiber.OK)
		is(t, "owner", m.Owner(), next.ID)
	}
}

func TestWaitersOfSeveralCondsGetTheLockInTheOrderOfTheirSignals(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	full, empty := NewCond(m), NewCond(m)
	first := lockedAndWaiting(t, f, full, 1)
	second := lockedAndWaiting(t, f, empty, 2)
	locked(t, m, 3)
	f.deliver(empty.Signal(), full.Signal())
	unlock(f, m, 3)
	woke(t, f, fiber.OK, second, first...)
	unlock(f, m, 2)
	woke(t, f, fiber.OK, first)
}

func TestABroadcastLetsThemHaveTheLockOneAfterTheOther(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2, 3)
	first := c.Broadcast()
	is(t, "first", first.Ticket, w[0])
	f.deliver(first)
	is(t, "in line", m.Waiting(), 2)
	for i := range w {
		woke(t, f, fiber.OK, w[i:i+1], w[i+1:]...)
		unlock(f, m, i+1)
	}
	is(t, "waiting", c.Source().(interface{ Waiting() int }).Waiting(), 0)
	is(t, "owner", m.Owner(), 0)

	lockedAndWaiting(t, f, c, 4)
	c.Broadcast() // not delivered yet, and still
	is(t, "conds with waiters", len(m.conds), 0)
}

// A waiter that times out owns nothing: it locks again as always, in its turn.
func TestAWaiterThatTimedOutLocksAgainLikeAnybody(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1)
	locked(t, m, 2)
	f.timeout(w[0])
	is(t, "collected", c.Collect(w[0]), false)
	is(t, "holds", c.Source().Holds(w[0]), false)
	again := parkedLock(f, m, 1)
	unlock(f, m, 2)
	woke(t, f, fiber.OK, []fiber.Ticket{again})
	is(t, "a signal too late", c.Signal().IsZero(), true)
}

// Were the signal lost, the second would sleep forever though there is work for it.
func TestASignalToOneThatGivesUpInLineGoesToTheNext(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2, 3, 4)
	locked(t, m, 5)
	f.deliver(c.Signal())
	behind := parkedLock(f, m, 6)
	f.timeout(w[0])
	f.timeout(w[1])
	unlock(f, m, 5)
	woke(t, f, fiber.OK, []fiber.Ticket{behind}, w[2:]...)
	unlock(f, m, 6)
	woke(t, f, fiber.OK, w[2:3], w[3])
	unlock(f, m, 3)
	is(t, "a second signal came of it", f.claim(w[3]).Code, fiber.Pending)
}

func TestABroadcastToOneThatGivesUpGoesToNobodyElse(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1)
	locked(t, m, 2)
	f.deliver(c.Broadcast())
	late := waits(f, c, 2) // hands the lock to 1 …
	f.die(w[0])            // … which dies; 2 came after the broadcast
	is(t, "the late one", f.claim(late).Code, fiber.Failed)

	m.Repair()
	w = lockedAndWaiting(t, f, c, 3)
	locked(t, m, 4)
	f.deliver(c.Broadcast())
	f.timeout(w[0])
	late = waits(f, c, 4)
	is(t, "the late one", f.claim(late).Code, fiber.Pending)
}

func TestASignalToOneThatDiesBeforeItRanGoesToTheNext(t *testing.T) {
	f, m := newFake(t), NewMutex(HandOver)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2, 3)
	f.deliver(c.Signal())
	f.die(w[0])
	woke(t, f, fiber.OK, w[1:2], w[2])
	is(t, "owner", m.Owner(), fib(2))
	f.die(w[2])
	is(t, "waiting", c.Source().(interface{ Waiting() int }).Waiting(), 0)
}

func TestASignalToOneThatIsKilledAndUnlocksBeforeItRanGoesToTheNext(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2, 3)
	f.deliver(c.Signal())
	wake, err := m.Unlock(fib(1)) // the deferred call of one that was never told it has the lock
	is(t, "unlock", err, nil)
	f.deliver(wake)
	f.die(w[0])
	woke(t, f, fiber.OK, w[1:2], w[2])
	is(t, "owner", m.Owner(), fib(2))
	is(t, "poisoned", m.Err(), nil)
}

func TestPoisonEndsTheWaitsForASignalToo(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2)
	locked(t, m, 3)
	f.deliver(c.Signal())
	f.deliver(m.OwnerHook().OwnerDied(fib(3), nil)...)
	woke(t, f, fiber.Failed, w)
	is(t, "a signal", c.Signal().IsZero(), true)
	is(t, "repaired", m.Repair(), true)
	locked(t, m, 4)
}

func TestMisuseOfACondIsATypedErrorAndKeepsTheLock(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	c.SetName("full")
	locked(t, m, 1)
	belongs(m, 0)
	away := newFake(t)
	away.number = 3
	_, stranger := c.ParkWait(f.arm(fib(2), c.Source()), fib(2))
	_, nobody := c.ParkWait(f.arm(fib(2), c.Source()), 0)
	_, foreign := c.ParkWait(away.arm(fib(1), c.Source()), fib(1))
	other := NewCond(m)
	_, foreignLock := other.ParkWait(away.arm(fib(1), other.Source()), fib(1))
	for _, x := range []struct {
		err, is   error
		owner, by fiber.ID
		object    string
	}{
		{stranger, ErrNotOwner, fib(1), fib(2), `cond "full"`},
		{nobody, ErrNotOwner, fib(1), 0, `cond "full"`},
		{foreign, ErrForeign, 0, fib(1), `cond "full"`},
		{foreignLock, ErrForeign, 0, fib(1), "mutex"},
	} {
		var e *Error
		if !errors.As(x.err, &e) {
			t.Errorf("got %v, want %v", x.err, x.is)
			continue
		}
		got := *e
		got.Op = ""
		is(t, "error", got, Error{Object: x.object, Owner: x.owner, By: x.by, Err: x.is})
	}
	is(t, "owner", m.Owner(), fib(1))
	is(t, "home may", belongs(c, 0) && belongs(m, 0), true)

	early := f.arm(fib(1), c.Source())
	waits(f, c, 1)
	locked(t, m, 2)
	if e := broken(func() { _, _ = c.ParkWait(early, fib(2)) }); e == nil || e.Rule.String() != "I11" {
		t.Errorf("parked late: got %v, want I11", e)
	}
	is(t, "owner", m.Owner(), fib(2))
	if e := broken(func() { NewCond(nil) }); e == nil || e.Op != "make" {
		t.Errorf("no mutex: got %v", e)
	}
}

func TestTheZeroCondHasNoWaitersAndSaysSo(t *testing.T) {
	f, c := newFake(t), new(Cond)
	is(t, "signal", c.Signal().IsZero() && c.Broadcast().IsZero(), true)
	is(t, "described", c.Source().(fiber.Described).Describe(), "cond without a mutex")
	is(t, "holders", len(c.Source().(fiber.Described).Holders(nil)), 0)
	is(t, "tied", belongs(c, 0), true)
	tk := f.arm(fib(1), c.Source())
	is(t, "known", c.Collect(tk) || c.Source().Holds(tk) || forfeits(c.Source().(fiber.Assigner), tk, c.Source().Withdraw(tk, nil)), false)
	if e := broken(func() { _, _ = c.ParkWait(tk, fib(1)) }); e == nil || e.Op != "wait" {
		t.Errorf("wait: got %v", e)
	}
}

func TestReportsSayWhoCanEndAWaitOnACond(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	c := NewCond(m)
	lockedAndWaiting(t, f, c, 1, 2)
	locked(t, m, 3)
	f.deliver(c.Signal())
	is(t, "described", c.Source().(fiber.Described).Describe(), "cond of mutex (waiting: 1, signaled: 1)")
	is(t, "the lock", m.Source().(fiber.Described).Describe(), "mutex (owner f3.1, waiting: 1)")
	is(t, "anybody", len(c.Source().(fiber.Described).Holders(nil)), 0)
	f.deliver(c.Signal())
	is(t, "only the owner", c.Source().(fiber.Described).Holders(nil)[0], fib(3))
}

// Were it passed on as a broadcast is, the second death would lose it.
func TestASignalOutlivesEveryFiberThatDiesBeforeItRan(t *testing.T) {
	f, m := newFake(t), NewMutex(HandOver)
	c := NewCond(m)
	w := lockedAndWaiting(t, f, c, 1, 2, 3)
	f.deliver(c.Signal())
	f.die(w[0])
	f.die(w[1])
	woke(t, f, fiber.OK, w[2:])
	is(t, "owner", m.Owner(), fib(3))
}

func TestAPoisonedLockKeepsNoCondAlive(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	for id := range 3 {
		lockedAndWaiting(t, f, NewCond(m), id+1)
	}
	locked(t, m, 4)
	f.deliver(m.OwnerHook().OwnerDied(fib(4), nil)...)
	for i, c := range m.conds[:cap(m.conds)] {
		if c != nil {
			t.Errorf("cond %d is still there", i)
		}
	}
}
