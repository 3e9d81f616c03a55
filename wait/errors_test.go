package wait

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestErrorsNameTheOperationTheObjectAndTheFix(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&Error{Op: "send", Object: `chan "jobs"`, Err: ErrClosed}, `wait: send: chan "jobs": the channel is closed`},
		{&Error{Op: "lock", Object: "mutex", Owner: fib(1), Err: ErrPoisoned},
			"wait: lock: mutex: the lock is poisoned: its owner died while it held it (owner f1.1)"},
		{&Error{Op: "unlock", Object: "mutex", By: fib(2), Err: ErrNotOwner},
			"wait: unlock: mutex: only the owner may unlock (tried by f2.1)"},
		{&Error{Op: "unlock", Object: "mutex", Owner: fib(1), By: fib(2), Err: ErrNotOwner},
			"wait: unlock: mutex: only the owner may unlock (owner f1.1, tried by f2.1)"},
		{outOfOrder("send", "chan", fiber.Ticket{ID: fib(1), Seq: 3}),
			"wait: broken rule I11 (docs/invariants.md#i11): send: chan: the ticket is zero or older than one parked here before; park right after its Arm (ticket f1.1#3)"},
		{badDuration(-1, "negative"), "wait: bad duration: -1 s is negative; want 0 or more, up to about 292 years"},
	} {
		is(t, "text", c.err.Error(), c.want)
	}
}

func TestReportsSayWhatAnObjectIsAndWhoHoldsIt(t *testing.T) {
	f := newFake(t)
	ch, m := NewChan[int](2), new(Mutex)
	parkedRecv(f, ch, 1)
	is(t, "unnamed", ch.Source().(fiber.Described).Describe(), `chan (0 of 2 buffered, receivers waiting: 1, senders waiting: 0)`)
	ch.SetName("a\nb")
	closing(f, ch)
	is(t, "name", ch.Name(), "a\nb")
	is(t, "closed", ch.Source().(fiber.Described).Describe(), `chan "a\nb" (closed, 0 of 2 buffered, receivers waiting: 0, senders waiting: 0)`)
	is(t, "anybody", len(ch.Source().(fiber.Described).Holders(nil)), 0)
	is(t, "nil", (*Chan[int])(nil).title(), "nil chan")

	is(t, "free", m.Source().(fiber.Described).Describe(), "mutex (free, waiting: 0)")
	is(t, "nobody", len(m.Source().(fiber.Described).Holders(nil)), 0)
	locked(t, m, 1)
	parkedLock(f, m, 2)
	is(t, "held", m.Source().(fiber.Described).Describe(), "mutex (owner f1.1, waiting: 1)")
	is(t, "owner", m.Source().(fiber.Described).Holders(nil)[0], fib(1))
	m.OwnerHook().OwnerDied(fib(1), nil)
	is(t, "poisoned", m.Source().(fiber.Described).Describe(), "mutex (poisoned by the death of f1.1, waiting: 0)")
}

func TestStatusesHaveNames(t *testing.T) {
	for s, want := range map[Status]string{Empty: "empty", Received: "received", Closed: "closed", Closed + 1: "invalid status"} {
		is(t, "status", s.String(), want)
	}
}
