package wait

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func locked(t *testing.T, m *Mutex, id int) {
	t.Helper()
	if ok, err := m.TryLock(fib(id)); !ok || err != nil {
		t.Fatalf("fiber %d locks: %v %v", id, ok, err)
	}
}

func parkedLock(f *fake, m *Mutex, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), m.Source())
	if err := m.ParkLock(t, fib(id)); err != nil {
		f.tb.Fatalf("park locker %d: %v", id, err)
	}
	return t
}

// unlock is by an owner that runs: it has collected what was handed over to it.
func unlock(f *fake, m *Mutex, id int) {
	f.tb.Helper()
	m.Collect(m.granted)
	w, err := m.Unlock(fib(id))
	if err != nil {
		f.tb.Fatalf("fiber %d unlocks: %v", id, err)
	}
	f.deliver(w)
}

// docs/design.md#defects: mutex with a moment of no owner.
func TestUnlockHandsTheLockOverBeforeTheNextOwnerRuns(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	locked(t, m, 1)
	first, second := parkedLock(f, m, 2), parkedLock(f, m, 3)
	unlock(f, m, 1)
	is(t, "owner", m.Owner(), fib(2))
	barged, err := m.TryLock(fib(1)) // 1 still runs, 2 does not yet
	is(t, "the old owner barges in", barged || err != nil, false)
	is(t, "collected", m.Collect(first), true)
	is(t, "collected twice", m.Collect(first), false)
	unlock(f, m, 2)
	is(t, "owner", m.Owner(), fib(3))
	is(t, "collected", m.Collect(second), true)
	unlock(f, m, 3)
	is(t, "owner", m.Owner(), 0)
	is(t, "collected by nobody", m.Collect(fiber.Ticket{}), false)
}

func TestALockThatNobodyWantsIsFreeAndWakesNobody(t *testing.T) {
	for name, give := range map[string]func(f *fake, m *Mutex) (fiber.Wakeup, error){
		"unlocked": func(_ *fake, m *Mutex) (fiber.Wakeup, error) { return m.Unlock(fib(1)) },
		"unlocked by one that has not come for it": func(f *fake, m *Mutex) (fiber.Wakeup, error) {
			parkedLock(f, m, 2)
			f.deliver(first(m.Unlock(fib(1))))
			return m.Unlock(fib(2))
		},
		"given up to wait for a signal": func(f *fake, m *Mutex) (fiber.Wakeup, error) {
			c := NewCond(m)
			return c.ParkWait(f.arm(fib(1), c.Source()), fib(1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, m := newFake(t), new(Mutex)
			f.arm(fib(3), m.Source()) // so that it has a source slot
			locked(t, m, 1)
			w, err := give(f, m)
			is(t, "error", err, nil)
			is(t, "wakeup", w, fiber.Wakeup{})
			is(t, "owner", m.Owner(), 0)
			locked(t, m, 3)
		})
	}
}

func first[T any](v T, _ error) T { return v }

func TestALockerThatGaveUpIsPassedOver(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	locked(t, m, 1)
	gone, next := parkedLock(f, m, 2), parkedLock(f, m, 3)
	f.timeout(gone)
	unlock(f, m, 1)
	is(t, "owner", m.Owner(), fib(3))
	is(t, "collected by who gave up", m.Collect(gone), false)
	is(t, "collected", m.Collect(next), true)
}

func TestTheOwnerIsTheLogicalThreadNotTheTrampolineThatWaits(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	locked(t, m, 1)
	tk := f.arm(fiber.NewTrampolineID(4, 1).ID(), m.Source())
	is(t, "park", m.ParkLock(tk, fib(2)), nil)
	unlock(f, m, 1)
	is(t, "owner", m.Owner(), fib(2))
	unlock(f, m, 2)
}

func TestMisuseOfALockIsATypedErrorThatNamesObjectAndOwner(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	m.SetName("db")
	_, free := m.Unlock(fib(1))
	_, nobody := m.Unlock(0)
	parkFree := m.ParkLock(f.arm(fib(1)), fib(1))
	locked(t, m, 1)
	_, double := m.TryLock(fib(1))
	parkDouble := m.ParkLock(f.arm(fib(1)), fib(1))
	_, stranger := m.Unlock(fib(2))
	foreign := newFake(t)
	foreign.number = 3
	parkForeign := m.ParkLock(foreign.arm(fib(2)), fib(2))
	for _, c := range []struct {
		err       error
		is        error
		owner, by fiber.ID
	}{
		{free, ErrNotOwner, 0, fib(1)},
		{nobody, ErrNotOwner, 0, 0},
		{parkFree, ErrReady, 0, fib(1)},
		{double, ErrDoubleLock, fib(1), fib(1)},
		{parkDouble, ErrDoubleLock, fib(1), fib(1)},
		{stranger, ErrNotOwner, fib(1), fib(2)},
		{parkForeign, ErrForeign, 0, fib(2)},
	} {
		want := Error{Object: `mutex "db"`, Owner: c.owner, By: c.by, Err: c.is}
		var e *Error
		if !errors.As(c.err, &e) {
			t.Errorf("got %v, want %v", c.err, c.is)
			continue
		}
		got := *e
		got.Op = ""
		is(t, "error", got, want)
	}
	is(t, "owner", m.Owner(), fib(1))
	is(t, "waiting", m.Waiting(), 0)
	is(t, "home may", belongs(m, 0), true)
	if e := broken(func() { _, _ = m.TryLock(0) }); e == nil || e.Rule.String() != "I12" {
		t.Errorf("a lock for nobody: got %v", e)
	}
}

// docs/design.md#defects: failed task keeping its locks.
func TestALockWhoseOwnerDiesIsPoisoned(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	locked(t, m, 1)
	a, b := parkedLock(f, m, 2), parkedLock(f, m, 3)
	wakes := m.OwnerHook().OwnerDied(fib(1), nil)
	if want := []fiber.Wakeup{woken(a, fiber.Failed, 0), woken(b, fiber.Failed, 0)}; !same(wakes, want) {
		t.Fatalf("woken %v, want %v", wakes, want)
	}
	f.deliver(wakes...)
	is(t, "woken by the death of nobody", len(m.OwnerHook().OwnerDied(0, nil)), 0)
	is(t, "collected", m.Collect(a), false)
	_, err := m.TryLock(fib(4))
	park := m.ParkLock(f.arm(fib(4)), fib(4))
	for _, err := range []error{err, park, m.Err()} {
		var e *Error
		if !errors.Is(err, ErrPoisoned) || !errors.As(err, &e) || e.Owner != fib(1) {
			t.Errorf("got %v, want ErrPoisoned by fiber 1", err)
		}
	}
	_, err = m.Unlock(fib(1))
	is(t, "unlock", errors.Is(err, ErrNotOwner), true)
	is(t, "repaired", m.Repair(), true)
	is(t, "repaired again", m.Repair(), false)
	is(t, "err", m.Err(), nil)
	locked(t, m, 4)
}

func TestALockThatIsHandedOnGoesToTheNextInLine(t *testing.T) {
	f, m := newFake(t), NewMutex(HandOver)
	locked(t, m, 1)
	next := parkedLock(f, m, 2)
	f.deliver(m.OwnerHook().OwnerDied(fib(1), nil)...)
	is(t, "owner", m.Owner(), fib(2))
	is(t, "collected", m.Collect(next), true)
	is(t, "woken by the last", len(m.OwnerHook().OwnerDied(fib(2), nil)), 0)
	is(t, "owner", m.Owner(), 0)
	locked(t, m, 3)
}

func TestALockAssignedToAFiberThatDiesBeforeItRanFollowsThePolicy(t *testing.T) {
	f, m := newFake(t), NewMutex(HandOver)
	locked(t, m, 1)
	dying, next := parkedLock(f, m, 2), parkedLock(f, m, 3)
	unlock(f, m, 1)
	f.die(dying)
	is(t, "owner", m.Owner(), fib(3))
	is(t, "next", f.claim(next).Code, fiber.OK)
	is(t, "a second report", len(m.OwnerHook().OwnerDied(fib(2), nil)), 0)
	is(t, "owner", m.Owner(), fib(3))

	m = new(Mutex)
	locked(t, m, 1)
	dying, next = parkedLock(f, m, 2), parkedLock(f, m, 3)
	unlock(f, m, 1)
	f.deliver(m.OwnerHook().OwnerDied(fib(2), nil)...) // the other report comes first
	is(t, "poisoned", errors.Is(m.Err(), ErrPoisoned), true)
	is(t, "next", f.claim(next).Code, fiber.Failed)
	m.Repair()
	locked(t, m, 4)
	f.die(dying)
	is(t, "owner after the second report", m.Owner(), fib(4))
}

func TestTheDeathOfAnybodyElseChangesNothing(t *testing.T) {
	f, m := newFake(t), new(Mutex)
	is(t, "of nobody", len(m.OwnerHook().OwnerDied(0, nil)), 0)
	locked(t, m, 1)
	waiting := parkedLock(f, m, 2)
	is(t, "of a stranger", len(m.OwnerHook().OwnerDied(fib(3), nil)), 0)
	f.die(waiting)
	is(t, "owner", m.Owner(), fib(1))
	is(t, "waiting", m.Waiting(), 0)
	unlock(f, m, 1)
	is(t, "of the past owner", len(m.OwnerHook().OwnerDied(fib(1), nil)), 0)
	is(t, "err", m.Err(), nil)
}
