package wait

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestErrorsNameTheOperationTheObjectAndTheMend(t *testing.T) {
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
		{&DurationError{-1, "negative"}, "wait: bad duration: -1 s is negative; want 0 or more, up to about 292 years"},
	} {
		is(t, "text", c.err.Error(), c.want)
	}
}

func TestReportsSayWhatAnObjectIsAndWhoHoldsIt(t *testing.T) {
	f := newFake(t)
	ch, m := NewChan[int](2), new(Mutex)
	parkedRecv(f, ch, 1)
	is(t, "unnamed", ch.Describe(), `chan (0 of 2 buffered, receivers waiting: 1, senders waiting: 0)`)
	ch.SetName("a\nb")
	closing(f, ch)
	is(t, "name", ch.Name(), "a\nb")
	is(t, "closed", ch.Describe(), `chan "a\nb" (closed, 0 of 2 buffered, receivers waiting: 0, senders waiting: 0)`)
	is(t, "anybody", len(ch.Holders(nil)), 0)
	is(t, "nil", (*Chan[int])(nil).Describe(), "nil chan")

	is(t, "free", m.Describe(), "mutex (free, waiting: 0)")
	is(t, "nobody", len(m.Holders(nil)), 0)
	locked(t, m, 1)
	parkedLock(f, m, 2)
	is(t, "held", m.Describe(), "mutex (owner f1.1, waiting: 1)")
	is(t, "owner", m.Holders(nil)[0], fib(1))
	m.OwnerDied(fib(1), nil)
	is(t, "poisoned", m.Describe(), "mutex (poisoned by the death of f1.1, waiting: 0)")
	for s, want := range map[Status]string{Empty: "empty", Received: "received", Closed: "closed", Closed + 1: "invalid status"} {
		is(t, "status", s.String(), want)
	}
}
