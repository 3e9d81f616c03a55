package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func writing(t *testing.T, m *RWMutex, id int) {
	t.Helper()
	if ok, err := m.TryLock(fib(id)); !ok || err != nil {
		t.Fatalf("fiber %d writes: %v %v", id, ok, err)
	}
}

func reading(t *testing.T, m *RWMutex, ids ...int) {
	t.Helper()
	for _, id := range ids {
		if ok, err := m.TryRLock(fib(id)); !ok || err != nil {
			t.Fatalf("fiber %d reads: %v %v", id, ok, err)
		}
	}
}

func parkedWriter(f *fake, m *RWMutex, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), m)
	if err := m.ParkLock(t, fib(id)); err != nil {
		f.tb.Fatalf("park writer %d: %v", id, err)
	}
	return t
}

func parkedReader(f *fake, m *RWMutex, id int) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), m)
	if err := m.ParkRLock(t, fib(id)); err != nil {
		f.tb.Fatalf("park reader %d: %v", id, err)
	}
	return t
}

func unlocking(f *fake, m *RWMutex, id int) {
	f.tb.Helper()
	unlock := m.RUnlock
	if m.Writer() == fib(id) {
		unlock = m.Unlock
	}
	wakes, err := unlock(fib(id), nil)
	if err != nil {
		f.tb.Fatalf("fiber %d unlocks: %v", id, err)
	}
	f.deliver(wakes...)
}

// woke checks which of the waits have ended with the code; the others are still on.
func woke(t *testing.T, f *fake, code fiber.Code, want []fiber.Ticket, others ...fiber.Ticket) {
	t.Helper()
	for _, tk := range slices.Concat(want, others) {
		expected := code
		if !slices.Contains(want, tk) {
			expected = fiber.Pending
		}
		is(t, "end of "+tk.String(), f.claim(tk).Code, expected)
	}
}

func TestAStreamOfReadersDoesNotKeepAWriterWaiting(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	reading(t, m, 1)
	w := parkedWriter(f, m, 2)
	for id := 3; id < 6; id++ {
		ok, err := m.TryRLock(fib(id))
		is(t, "a reader overtakes the writer", ok || err != nil, false)
		parkedReader(f, m, id)
	}
	unlocking(f, m, 1)
	is(t, "writer", m.Writer(), fib(2))
	is(t, "collected", m.Collect(w), true)
	is(t, "collected twice", m.Collect(w), false)
}

func TestReadersAtTheHeadOfTheLineAreLetInTogether(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	writing(t, m, 1)
	r2, r3 := parkedReader(f, m, 2), parkedReader(f, m, 3)
	w4, r5 := parkedWriter(f, m, 4), parkedReader(f, m, 5)
	unlocking(f, m, 1)
	is(t, "readers", m.Readers(), 2)
	woke(t, f, fiber.OK, []fiber.Ticket{r2, r3}, w4, r5)
	for _, tk := range []fiber.Ticket{r3, r2} { // collected out of order
		is(t, "collected", m.Collect(tk), true)
	}
	unlocking(f, m, 3)
	is(t, "a writer beside the other reader", m.Writer(), 0)
	unlocking(f, m, 2)
	woke(t, f, fiber.OK, []fiber.Ticket{w4}, r5)
	unlocking(f, m, 4)
	woke(t, f, fiber.OK, []fiber.Ticket{r5})
}

// docs/design.md#defects: mutex with a moment of no owner.
func TestTheLastReaderHandsTheLockToTheWriterBeforeItRuns(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	reading(t, m, 1)
	parkedWriter(f, m, 2)
	unlocking(f, m, 1)
	for _, try := range []func(fiber.ID) (bool, error){m.TryLock, m.TryRLock} {
		barged, err := try(fib(1))
		is(t, "the old owner barges in", barged || err != nil, false)
	}
}

func TestAWriterThatGaveUpLetsTheReadersBehindItGo(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	reading(t, m, 1)
	gone, r3, r4, w5 := parkedWriter(f, m, 2), parkedReader(f, m, 3), parkedReader(f, m, 4), parkedWriter(f, m, 5)
	f.timeout(gone)
	is(t, "readers", m.Readers(), 3)
	woke(t, f, fiber.OK, []fiber.Ticket{r3, r4}, w5)
	is(t, "collected by who gave up", m.Collect(gone), false)
	f.timeout(w5)
	is(t, "readers when one in the middle gave up", m.Readers(), 3)
}

func TestAReaderThatGaveUpLetsNobodyOvertake(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	writing(t, m, 1)
	gone, w := parkedReader(f, m, 2), parkedWriter(f, m, 3)
	f.timeout(gone)
	woke(t, f, fiber.OK, nil, w)
	is(t, "withdrawn again", len(m.Withdraw(gone, nil)), 0)
}

func TestMisuseOfAnRWMutexIsATypedErrorThatNamesObjectAndOwner(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	m.SetName("map")
	errs := func(_ any, err error) error { return err }
	_ = m.Admit(0)
	away := newFake(t)
	away.number = 3
	check := func(err, want error, owner, by fiber.ID) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("got %v, want %v", err, want)
		}
		got := *e
		got.Op = ""
		is(t, "error", got, Error{Object: `rwmutex "map"`, Owner: owner, By: by, Err: want})
	}
	check(errs(m.Unlock(fib(1), nil)), ErrNotOwner, 0, fib(1))
	check(errs(m.RUnlock(fib(1), nil)), ErrNotOwner, 0, fib(1))
	check(errs(m.Unlock(0, nil)), ErrNotOwner, 0, 0)
	check(errs(m.RUnlock(0, nil)), ErrNotOwner, 0, 0)
	check(m.ParkLock(f.arm(fib(1)), fib(1)), ErrReady, 0, fib(1))
	check(m.ParkRLock(f.arm(fib(1)), fib(1)), ErrReady, 0, fib(1))
	check(m.ParkLock(away.arm(fib(1)), fib(1)), ErrForeign, 0, fib(1))
	check(m.Admit(3), ErrForeign, 0, 0)

	reading(t, m, 1, 2)
	check(errs(m.TryRLock(fib(1))), ErrDoubleLock, fib(1), fib(1))
	check(errs(m.TryLock(fib(1))), ErrDoubleLock, fib(1), fib(1)) // no upgrade
	check(m.ParkLock(f.arm(fib(2)), fib(2)), ErrDoubleLock, fib(2), fib(2))
	check(m.ParkRLock(f.arm(fib(3)), fib(3)), ErrReady, 0, fib(3))
	check(errs(m.Unlock(fib(1), nil)), ErrNotOwner, 0, fib(1))
	check(errs(m.RUnlock(fib(3), nil)), ErrNotOwner, 0, fib(3))
	unlocking(f, m, 1)
	unlocking(f, m, 2)

	writing(t, m, 1)
	check(errs(m.TryRLock(fib(1))), ErrDoubleLock, fib(1), fib(1)) // no downgrade either
	check(errs(m.RUnlock(fib(1), nil)), ErrNotOwner, fib(1), fib(1))
	check(errs(m.Unlock(fib(2), nil)), ErrNotOwner, fib(1), fib(2))
	is(t, "writer", m.Writer(), fib(1))
	is(t, "waiting", m.Waiting(), 0)
	for _, try := range []func(fiber.ID) (bool, error){m.TryLock, m.TryRLock} {
		if e := broken(func() { _, _ = try(0) }); e == nil || e.Rule.String() != "I12" {
			t.Errorf("a lock for nobody: got %v", e)
		}
	}
}

// docs/design.md#defects: failed task keeping its locks.
func TestAnRWMutexWhoseWriterDiesIsPoisoned(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	writing(t, m, 1)
	r, w := parkedReader(f, m, 2), parkedWriter(f, m, 3)
	f.deliver(m.OwnerDied(fib(1), nil)...)
	woke(t, f, fiber.Failed, []fiber.Ticket{r, w})
	is(t, "woken by the death of nobody", len(m.OwnerDied(0, nil)), 0)
	_, lock := m.TryLock(fib(4))
	_, rlock := m.TryRLock(fib(4))
	for _, err := range []error{lock, rlock, m.Err(), m.ParkRLock(f.arm(fib(4)), fib(4))} {
		var e *Error
		if !errors.Is(err, ErrPoisoned) || !errors.As(err, &e) || e.Owner != fib(1) {
			t.Errorf("got %v, want ErrPoisoned by fiber 1", err)
		}
	}
	is(t, "repaired", m.Repair(), true)
	is(t, "repaired again", m.Repair(), false)
	is(t, "err", m.Err(), nil)
	reading(t, m, 4)
}

func TestAnRWMutexThatIsHandedOnGoesToTheNextInLine(t *testing.T) {
	f, m := newFake(t), NewRWMutex(HandOn)
	writing(t, m, 1)
	r2, r3, w := parkedReader(f, m, 2), parkedReader(f, m, 3), parkedWriter(f, m, 4)
	f.deliver(m.OwnerDied(fib(1), nil)...)
	woke(t, f, fiber.OK, []fiber.Ticket{r2, r3}, w)
}

func TestADeadReaderGivesItsLockBackAndPoisonsNothing(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	reading(t, m, 1, 2)
	w := parkedWriter(f, m, 3)
	is(t, "woken by the first death", len(m.OwnerDied(fib(1), nil)), 0)
	f.deliver(m.OwnerDied(fib(2), nil)...)
	woke(t, f, fiber.OK, []fiber.Ticket{w})
	is(t, "told again", len(m.OwnerDied(fib(2), nil)), 0)
	is(t, "told of nobody", len(m.OwnerDied(0, nil)), 0)
	is(t, "err", m.Err(), nil)
}

func TestAnRWMutexAssignedToAFiberThatDiesBeforeItRanFollowsThePolicy(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	writing(t, m, 1)
	r2, r3, w4 := parkedReader(f, m, 2), parkedReader(f, m, 3), parkedWriter(f, m, 4)
	unlocking(f, m, 1)
	f.die(r2)
	is(t, "readers", m.Readers(), 1)
	f.die(r3)
	is(t, "writer", m.Writer(), fib(4))
	f.die(w4)
	is(t, "poisoned", errors.Is(m.Err(), ErrPoisoned), true)
}

func TestReadersAreHeldBackOnlyBehindAWriterThatWaits(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	reading(t, m, 1)
	is(t, "nobody waits", m.HoldsBack(), false)
	parkedWriter(f, m, 2)
	is(t, "nobody waits behind the writer", m.HoldsBack(), false)
	parkedReader(f, m, 3)
	is(t, "a reader does", m.HoldsBack(), true)
	unlocking(f, m, 1)
	parkedReader(f, m, 4)
	is(t, "the writer has it", m.HoldsBack(), false)
}

func TestReportsNameTheWriterOrTheReaders(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	is(t, "free", m.Describe(), "rwmutex (free, waiting: 0)")
	is(t, "holders", len(m.Holders(nil)), 0)
	reading(t, m, 2)
	is(t, "read by one", m.Describe(), "rwmutex (readers: 1, waiting: 0)")
	reading(t, m, 1)
	parkedWriter(f, m, 3)
	is(t, "read", m.Describe(), "rwmutex (readers: 2, waiting: 1)")
	if got := m.Holders(nil); !slices.Equal(got, []fiber.ID{fib(1), fib(2)}) {
		t.Errorf("holders %v, want the readers in order", got)
	}
	unlocking(f, m, 1)
	unlocking(f, m, 2)
	is(t, "written", m.Describe(), "rwmutex (writer f3.1, waiting: 0)")
	is(t, "holder", m.Holders(nil)[0], fib(3))
	m.OwnerDied(fib(3), nil)
	is(t, "poisoned", m.Describe(), "rwmutex (poisoned by the death of f3.1, waiting: 0)")
}

func TestThoseWhoWaitForAnRWMutexAreCounted(t *testing.T) {
	f, m := newFake(t), new(RWMutex)
	writing(t, m, 1)
	parkedReader(f, m, 2)
	gone := parkedWriter(f, m, 3)
	is(t, "waiting", m.Waiting(), 2)
	f.timeout(gone)
	is(t, "waiting", m.Waiting(), 1)
}
