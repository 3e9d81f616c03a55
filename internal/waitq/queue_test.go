package waitq

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func ticket(n uint64) fiber.Ticket {
	return fiber.Ticket{ID: fiber.NewRegularID(uint32(n), 1).ID(), Seq: fiber.NewSeq(3, n)}
}

func TestValueGoesToTheOneWhoWaitedLongest(t *testing.T) {
	var q Queue[string]
	for n := range uint64(100) {
		q.Push(ticket(n+1), uint32(n), "")
	}
	for n := range uint64(100) {
		got, tag, ok := q.Match("v")
		if got != ticket(n+1) || tag != uint32(n) || !ok {
			t.Fatalf("match %d went to %v, tag %d, %v", n, got, tag, ok)
		}
	}
}

func TestASelectThatWinsOneCaseLosesTheOthersOfTheSameObject(t *testing.T) {
	var q Queue[int]
	q.Push(ticket(1), 7, 0)
	q.Push(ticket(1), 8, 0)
	q.Push(ticket(2), 0, 0)
	if got, tag, _ := q.Match(42); got != ticket(1) || tag != 7 {
		t.Fatalf("matched %v case %d, want the first case of the first ticket", got, tag)
	}
	if got, _, _, _ := q.Head(); got != ticket(2) || q.Waiting() != 1 {
		t.Fatalf("head is %v with %d waiting; the second case still waits", got, q.Waiting())
	}
	if v, tag, ok := q.Collect(ticket(1)); v != 42 || tag != 7 || !ok {
		t.Fatalf("collected %d, case %d, %v", v, tag, ok)
	}
}

func TestAnAssignedValueIsNotWithdrawnWithItsTicket(t *testing.T) {
	var q Queue[int]
	q.Push(ticket(1), 0, 0)
	q.Match(5)
	if n := q.Withdraw(ticket(1)); n != 0 || q.Holds(ticket(1)) {
		t.Fatalf("withdrew %d of a ticket that waits no more", n)
	}
	if v, ok := q.Forfeit(ticket(1)); v != 5 || !ok {
		t.Fatalf("forfeited %d, %v; the value was lost", v, ok)
	}
	if _, ok := q.Forfeit(ticket(1)); ok {
		t.Fatal("the same value was forfeited twice")
	}
}

func TestAnOutOfOrderTicketIsRefusedEvenWhenTheQueueIsEmptyAgain(t *testing.T) {
	var q Queue[int]
	q.Push(ticket(9), 0, 0)
	q.Pop()
	for name, bad := range map[string]fiber.Ticket{
		"older":           ticket(8),
		"zero":            {},
		"same Seq, other": {ID: ticket(8).ID, Seq: ticket(9).Seq},
	} {
		if q.Push(bad, 0, 0) || q.Waiting() != 0 {
			t.Errorf("%s ticket was accepted", name)
		}
	}
}

func TestMemoryOfABurstIsGivenBack(t *testing.T) {
	var q Queue[int]
	const burst = 100_000
	for n := range uint64(burst) {
		q.Push(ticket(n+1), 0, 0)
	}
	grown := len(q.rest.buf)
	for n := range uint64(burst) {
		if n%2 == 0 {
			q.Withdraw(ticket(n + 1))
		} else {
			q.Pop()
		}
	}
	if len(q.rest.buf) > kept || grown < burst {
		t.Fatalf("%d slots kept of %d after the burst; want at most %d", len(q.rest.buf), grown, kept)
	}
}

func TestOneSlowFiberDoesNotMakeTheQueueGrow(t *testing.T) {
	var q Queue[int]
	q.Push(ticket(1), 0, 0)
	q.Match(1) // never collected while the others come and go
	for n := uint64(2); n < 10_000; n++ {
		q.Push(ticket(n), 0, 0)
		q.Match(int(n))
		if v, _, ok := q.Collect(ticket(n)); v != int(n) || !ok {
			t.Fatalf("collected %d, %v", v, ok)
		}
	}
	if len(q.rest.buf) > 4*sparse {
		t.Fatalf("%d slots for one live entry", len(q.rest.buf))
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	var q Queue[any]
	seq, value := uint64(0), any("v")
	round := func() {
		for range 100 {
			seq++
			q.Push(ticket(seq), 0, nil)
		}
		for n := seq - 99; n <= seq; n++ {
			switch n % 3 {
			case 0:
				q.Withdraw(ticket(n))
			case 1:
				q.Pop()
			case 2:
				got, _, _ := q.Match(value)
				q.Collect(got)
			}
		}
		for q.Waiting() > 0 {
			q.Pop()
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Fatalf("%v allocations per round", n)
	}
}

func TestAllStopsWhenItsReaderStops(t *testing.T) {
	var q Queue[int]
	q.Push(ticket(1), 0, 0)
	q.Push(ticket(2), 0, 0)
	seen := 0
	for range q.All() {
		seen++
		break
	}
	if seen != 1 {
		t.Fatalf("%d yields", seen)
	}
}

// Also in a ring that is so large that its memory is given back: what was popped has nothing to
// collect, and does not stand for what is assigned behind it.
func TestATicketThatWasPoppedHasNothingToCollect(t *testing.T) {
	for _, n := range []uint64{3, 100, 1000} {
		var q Queue[string]
		for i := range n {
			q.Push(ticket(i+1), 0, "")
		}
		q.Pop() // the front
		popped, _, _, _ := q.Pop()
		next, _, _ := q.Match("v")
		if v, _, ok := q.Collect(popped); ok {
			t.Errorf("of %d: the popped ticket collects %q", n, v)
		}
		if v, _, ok := q.Collect(next); v != "v" || !ok {
			t.Errorf("of %d: the matched ticket collects %q, %v", n, v, ok)
		}
	}
}
