package opqueue

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// An earlier decision is a pending wake-up: whatever a queue or a cell is asked, it
// adds to it and never takes it away.
func TestWhatOthersHaveDecidedIsKept(t *testing.T) {
	q := New(0, 3, nil)
	flying, err := q.Submit(alice)
	if err != nil {
		t.Fatal(err)
	}
	over, err := q.Submit(alice)
	if err != nil {
		t.Fatal(err)
	}
	complete(q, over, ioqueue.Completion{})
	attached, err := q.Submit(alice)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Attach(attached, new(ioqueue.Cell)); err != nil {
		t.Fatal(err)
	}
	completed := new(ioqueue.Cell)
	if _, err := completed.Complete(1, nil, nil); err != nil {
		t.Fatal(err)
	}
	first, stranger := fiber.Wakeup{Ticket: fiber.Ticket{ID: bob.ID(), Seq: 1}}, fiber.Ticket{ID: bob.ID(), Seq: 7}
	before := func() []fiber.Wakeup { return []fiber.Wakeup{first} }
	again, err := completed.Complete(2, nil, before())
	if err == nil {
		t.Error("a cell was completed twice")
	}
	forfeited, had := q.Room().Source().(fiber.Assigner).Forfeit(stranger, before())
	if had {
		t.Error("a stranger had a place")
	}
	for what, dst := range map[string][]fiber.Wakeup{
		"Settle of a token without a cell": q.Settle(flying, before()),
		"Settle of one that has ended":     q.Settle(over, before()),
		"Settle of one that has not ended": q.Settle(attached, before()),
		"Settle of no token":               q.Settle(0, before()),
		"FailCells without one":            q.FailCells(before()),
		"Admit without a place":            q.Admit(before()),
		"a second Complete":                again,
		"Withdraw from a cell":             new(ioqueue.Cell).Source().Withdraw(stranger, before()),
		"Withdraw from a completed cell":   completed.Source().Withdraw(stranger, before()),
		"Withdraw from the room":           q.Room().Source().Withdraw(stranger, before()),
		"Forfeit of no place":              forfeited,
	} {
		if len(dst) != 1 || dst[0] != first {
			t.Errorf("after %s there is %v", what, dst)
		}
	}
	if q.Room().Source().Holds(stranger) || completed.Source().Holds(stranger) {
		t.Error("a ticket is held that was never given")
	}
	if _, ok := take(q, over); !ok || q.Outstanding() != 2 {
		t.Errorf("%d operations in flight, one over: %v", q.Outstanding(), ok)
	}
	holders := []fiber.ID{bob.ID()}
	for what, all := range map[string][]fiber.ID{"a cell": new(ioqueue.Cell).Source().(fiber.Described).Holders(holders), "a completed cell": completed.Source().(fiber.Described).Holders(holders), "the room": q.Room().Source().(fiber.Described).Holders(holders)} {
		if len(all) != 1 || all[0] != bob.ID() {
			t.Errorf("the holders of %s are %v", what, all)
		}
	}
	if got := q.Cancellations([]fiber.Token{flying}); len(got) != 1 {
		t.Errorf("tokens to cancel: %v", got)
	}
}

// Between the moment a place becomes free and the moment it is kept for the head of the
// line, no running fiber takes it (I11).
func TestAFreePlaceIsTheOneInLinesBeforeItIsTold(t *testing.T) {
	q := New(0, 1, nil)
	tok, err := q.Submit(alice)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Room().Park(fiber.Ticket{ID: bob.ID(), Seq: 1}, 0); err != nil {
		t.Fatal(err)
	}
	complete(q, tok, ioqueue.Completion{})
	take(q, tok)
	if tok, err := q.Submit(alice); err == nil {
		t.Fatalf("token %d went to one who had not waited", tok)
	}
	if woken := q.Admit(nil); len(woken) != 1 || woken[0].Ticket.ID != bob.ID() {
		t.Errorf("let in: %v", woken)
	}
}
