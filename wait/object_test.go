package wait

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// objects is one of each object to wait on, in each of its moods.
func objects(t *testing.T) map[string]fiber.Source {
	t.Helper()
	must := func(ok bool, err error) {
		t.Helper()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	closed := NewChan[int](1)
	_, err := closed.Close(nil)
	must(true, err)
	locked, poisoned := NewMutex(HandOver), NewMutex(Poison)
	must(locked.TryLock(fib(2)))
	must(poisoned.TryLock(fib(2)))
	poisoned.OwnerHook().OwnerDied(fib(2), nil)
	written, read := NewRWMutex(HandOver), NewRWMutex(Poison)
	must(written.TryLock(fib(2)))
	must(read.TryRLock(fib(2)))
	busy := NewSemaphore(3)
	must(busy.TryAcquire(fib(2), 2))
	running := NewOnce(HandOver)
	run, _, err := running.TryRun(fib(2))
	must(run, err)
	fired := new(Timer)
	fired.Reset(5)
	fired.Alarm().Due(5, nil)
	awaited := NewCond(NewMutex(Poison))
	must(awaited.Mutex().TryLock(fib(2)))
	_, err = awaited.ParkWait(here(2), fib(2))
	must(true, err)
	return map[string]fiber.Source{
		"a channel": NewChan[int](0).Source(), "a closed channel": closed.Source(),
		"a mutex": NewMutex(Poison).Source(), "a locked mutex": locked.Source(), "a poisoned mutex": poisoned.Source(),
		"a lock for readers": NewRWMutex(Poison).Source(), "a lock that is written under": written.Source(), "a lock that is read under": read.Source(),
		"a semaphore": NewSemaphore(3).Source(), "a busy semaphore": busy.Source(),
		"a once": NewOnce(Poison).Source(), "a once that runs": running.Source(),
		"a condition": NewCond(NewMutex(Poison)).Source(), "a condition of no lock": new(Cond).Source(), "a condition that is awaited": awaited.Source(),
		"a timer": new(Timer).Source(), "a fired timer": fired.Source(),
	}
}

// An earlier decision is a pending wake-up: an object adds to it and never takes it
// away, also when it is asked about a ticket or a fiber that it has never heard of.
func TestAnObjectKeepsWhatOthersHaveDecided(t *testing.T) {
	first, holder := fiber.Wakeup{Ticket: here(9)}, fib(8)
	stranger, nobody := fiber.Ticket{ID: fib(4), Seq: 77}, fib(4)
	for name, src := range objects(t) {
		kept := func(what string, dst []fiber.Wakeup) {
			t.Helper()
			if len(dst) != 1 || dst[0] != first {
				t.Errorf("%s: after %s there is %v", name, what, dst)
			}
		}
		kept("a withdrawal", src.Withdraw(stranger, []fiber.Wakeup{first}))
		if src.Holds(stranger) {
			t.Errorf("%s holds a ticket that it was never given", name)
		}
		if a, ok := src.(fiber.Assigner); ok {
			wakes, had := a.Forfeit(stranger, []fiber.Wakeup{first})
			kept("a forfeit", wakes)
			is(t, name+" had something for a stranger", had, false)
		}
		if o, ok := src.(fiber.OwnerHook); ok {
			kept("the death of a stranger", o.OwnerDied(nobody, []fiber.Wakeup{first}))
			kept("the death of an owner for whom nobody waits", o.OwnerDied(fib(2), []fiber.Wakeup{first}))
		}
		if a, ok := src.(fiber.Alarm); ok {
			kept("an instant", a.Due(9, []fiber.Wakeup{first}))
		}
		if d, ok := src.(fiber.Described); ok {
			if all := d.Holders([]fiber.ID{holder}); len(all) == 0 || all[0] != holder {
				t.Errorf("%s: its holders are %v", name, all)
			}
		}
	}
}
