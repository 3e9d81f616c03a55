package wait

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func acquired(t *testing.T, s *Semaphore, id int, n int64) {
	t.Helper()
	if ok, err := s.TryAcquire(fib(id), n); !ok || err != nil {
		t.Fatalf("fiber %d takes %d: %v %v", id, n, ok, err)
	}
}

func parkedAcquire(f *fake, s *Semaphore, id int, n int64) fiber.Ticket {
	f.tb.Helper()
	t := f.arm(fib(id), s)
	if err := s.ParkAcquire(t, fib(id), n); err != nil {
		f.tb.Fatalf("park %d: %v", id, err)
	}
	return t
}

func release(f *fake, s *Semaphore, id int, n int64) {
	f.tb.Helper()
	wakes, err := s.Release(fib(id), n, nil)
	if err != nil {
		f.tb.Fatalf("fiber %d gives back %d: %v", id, n, err)
	}
	f.deliver(wakes...)
}

// docs/design.md#defects: semaphore barging.
func TestASmallRequestDoesNotOvertakeALargeOneThatWaits(t *testing.T) {
	f, s := newFake(t), NewSemaphore(3)
	acquired(t, s, 1, 2)
	large := parkedAcquire(f, s, 2, 3)
	barged, err := s.TryAcquire(fib(3), 1) // one is free
	is(t, "barged", barged || err != nil, false)
	small := parkedAcquire(f, s, 3, 1)
	release(f, s, 1, 2)
	woke(t, f, fiber.OK, []fiber.Ticket{large}, small)
	n, ok := s.Collect(large)
	is(t, "collected", ok, true)
	is(t, "permits", n, 3)
	_, ok = s.Collect(large)
	is(t, "collected twice", ok, false)
	release(f, s, 2, 1)
	woke(t, f, fiber.OK, []fiber.Ticket{small})
}

func TestASmallRequestIsHeldBackOnlyWhileThereIsRoomForIt(t *testing.T) {
	f, s := newFake(t), NewSemaphore(3)
	acquired(t, s, 1, 2)
	is(t, "nobody waits", s.HoldsBack(), false)
	parkedAcquire(f, s, 2, 2)
	is(t, "nobody waits behind the large one", s.HoldsBack(), false)
	parkedAcquire(f, s, 3, 1)
	is(t, "a small one does", s.HoldsBack(), true)
	release(f, s, 1, 1) // to the large one
	is(t, "nothing is free", s.HoldsBack(), false)
	parkedAcquire(f, s, 4, 1)
	is(t, "nothing is free, and two wait", s.HoldsBack(), false)
}

func TestPermitsGivenBackAreTheNextsBeforeItRuns(t *testing.T) {
	f, s := newFake(t), NewSemaphore(1)
	acquired(t, s, 1, 1)
	parkedAcquire(f, s, 2, 1)
	release(f, s, 1, 1)
	is(t, "held", s.Held(fib(2)), 1)
	barged, err := s.TryAcquire(fib(1), 1)
	is(t, "the old holder barges in", barged || err != nil, false)
}

func TestOneReleaseServesAsManyAsThereIsRoomFor(t *testing.T) {
	f, s := newFake(t), NewSemaphore(5)
	acquired(t, s, 1, 5)
	a, b, c := parkedAcquire(f, s, 2, 2), parkedAcquire(f, s, 3, 1), parkedAcquire(f, s, 4, 2)
	release(f, s, 1, 4)
	woke(t, f, fiber.OK, []fiber.Ticket{a, b}, c)
	is(t, "free", s.Free(), 1)
}

func TestALargeRequestThatGaveUpLetsTheSmallOnesBehindItGo(t *testing.T) {
	f, s := newFake(t), NewSemaphore(3)
	acquired(t, s, 1, 2)
	large, small, other := parkedAcquire(f, s, 2, 3), parkedAcquire(f, s, 3, 1), parkedAcquire(f, s, 4, 1)
	f.timeout(large)
	woke(t, f, fiber.OK, []fiber.Ticket{small}, other)
	_, ok := s.Collect(large)
	is(t, "collected by who gave up", ok, false)
	is(t, "withdrawn again", len(s.Withdraw(large, nil)), 0)
}

func TestMisuseOfASemaphoreIsATypedErrorWithTheNumbers(t *testing.T) {
	f, s := newFake(t), NewSemaphore(3)
	s.SetName("db")
	_ = s.Admit(0)
	away := newFake(t)
	away.number = 3
	errs := func(_ any, err error) error { return err }
	acquired(t, s, 1, 2)
	for _, c := range []struct {
		err  error
		is   error
		want string
	}{
		{errs(s.TryAcquire(fib(2), 4)), ErrPermits,
			`wait: acquire: semaphore "db": want at least 1 permit and at most all there are: asked for 4 of 3 (tried by f2.1)`},
		{errs(s.TryAcquire(fib(2), 0)), ErrPermits,
			`wait: acquire: semaphore "db": want at least 1 permit and at most all there are: asked for 0 of 3 (tried by f2.1)`},
		{s.ParkAcquire(f.arm(fib(2)), fib(2), 1<<62), ErrPermits,
			`wait: acquire: semaphore "db": want at least 1 permit and at most all there are: asked for 4611686018427387904 of 3 (tried by f2.1)`},
		{errs(s.Release(fib(1), 3, nil)), ErrNotHeld,
			`wait: release: semaphore "db": a fiber gives back only permits it holds: gives back 3, holds 2 (tried by f1.1)`},
		{errs(s.Release(fib(2), 1, nil)), ErrNotHeld,
			`wait: release: semaphore "db": a fiber gives back only permits it holds: gives back 1, holds 0 (tried by f2.1)`},
		{errs(s.Release(fib(1), -1, nil)), ErrPermits,
			`wait: release: semaphore "db": want at least 1 permit and at most all there are: gives back -1 (tried by f1.1)`},
		{s.ParkAcquire(f.arm(fib(2)), fib(2), 1), ErrReady,
			`wait: acquire: semaphore "db": it would not block; disarm and try again (tried by f2.1)`},
		{s.ParkAcquire(away.arm(fib(2)), fib(2), 3), ErrForeign,
			`wait: acquire: semaphore "db": it belongs to another scheduler; use a port between schedulers (tried by f2.1)`},
		{s.Admit(3), ErrForeign, `wait: use: semaphore "db": it belongs to another scheduler; use a port between schedulers`},
	} {
		if !errors.Is(c.err, c.is) {
			t.Errorf("got %v, want %v", c.err, c.is)
			continue
		}
		is(t, "text", c.err.Error(), c.want)
	}
	is(t, "free", s.Free(), 1)
	is(t, "waiting", s.Waiting(), 0)
	if e := broken(func() { _, _ = s.TryAcquire(0, 1) }); e == nil || e.Rule.String() != "I12" {
		t.Errorf("permits for nobody: got %v", e)
	}
	if e := broken(func() { NewSemaphore(-1) }); e == nil || e.Op != "make" {
		t.Errorf("negative size: got %v", e)
	}
	_, err := new(Semaphore).TryAcquire(fib(1), 1)
	is(t, "the zero one", errors.Is(err, ErrPermits), true)
}

// docs/design.md#defects: failed task keeping its locks.
func TestThePermitsOfAFiberThatDiesGoBack(t *testing.T) {
	f, s := newFake(t), NewSemaphore(4)
	acquired(t, s, 1, 1)
	acquired(t, s, 1, 2)
	a, b := parkedAcquire(f, s, 2, 2), parkedAcquire(f, s, 3, 2)
	f.deliver(s.OwnerDied(fib(1), nil)...)
	woke(t, f, fiber.OK, []fiber.Ticket{a, b})
	is(t, "told again", len(s.OwnerDied(fib(1), nil)), 0)
	is(t, "free", s.Free(), 0)
}

func TestPermitsGivenToAFiberThatDiesBeforeItRanGoBack(t *testing.T) {
	f, s := newFake(t), NewSemaphore(4)
	acquired(t, s, 2, 1)
	acquired(t, s, 1, 3)
	dying, next := parkedAcquire(f, s, 2, 3), parkedAcquire(f, s, 3, 4)
	release(f, s, 1, 3)
	is(t, "held", s.Held(fib(2)), 4)
	f.die(dying)
	is(t, "held still", s.Held(fib(2)), 1) // until the scheduler tells of the death itself
	f.deliver(s.OwnerDied(fib(2), nil)...)
	woke(t, f, fiber.OK, []fiber.Ticket{next})

	early := parkedAcquire(f, s, 4, 1)
	release(f, s, 3, 4)
	f.deliver(s.OwnerDied(fib(4), nil)...) // the other report comes first
	f.die(early)
	is(t, "free", s.Free(), 4)
}

func TestPermitsGivenBackInPartBeforeTheyWereCollectedAreNotLost(t *testing.T) {
	f, s := newFake(t), NewSemaphore(3)
	acquired(t, s, 1, 2)
	tk := parkedAcquire(f, s, 2, 2)
	release(f, s, 1, 2)
	release(f, s, 2, 1) // a deferred call of a fiber that was killed before it collected
	f.die(tk)
	is(t, "free", s.Free(), 3)
	is(t, "held", s.Held(fib(2)), 0)
}

func TestReportsNameTheHoldersOfPermits(t *testing.T) {
	f, s := newFake(t), NewSemaphore(3)
	acquired(t, s, 2, 1)
	acquired(t, s, 1, 2)
	parkedAcquire(f, s, 3, 1)
	is(t, "described", s.Describe(), "semaphore (0 of 3 free, waiting: 1)")
	if got := s.Holders(nil); !slices.Equal(got, []fiber.ID{fib(1), fib(2)}) {
		t.Errorf("holders %v, want 1 and 2", got)
	}
}

func TestASemaphoreOfNoPermitsIsNoMistake(t *testing.T) {
	s := NewSemaphore(0)
	is(t, "size", s.Size(), 0)
	_, err := s.TryAcquire(fib(1), 1)
	is(t, "more than there are", errors.Is(err, ErrPermits), true)
}
