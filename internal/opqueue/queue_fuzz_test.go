package opqueue

import (
	"reflect"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// FuzzForgedTokens gives every entry point a token that was never handed out. The
// queue answers, counts, and is otherwise as it was.
func FuzzForgedTokens(f *testing.F) {
	f.Add(uint64(0))
	f.Add(uint64(1))
	f.Add(uint64(maxIndex))
	f.Add(^uint64(0))
	f.Add(uint64(new(Queue).token(1, maxCount)))
	f.Add(uint64(new(Queue).token(513, 1)))
	f.Fuzz(func(t *testing.T, n uint64) {
		q := New(0, 8, func(fiber.Token, ioqueue.Completion) { t.Error("a forged token dropped a result") })
		inFlight, _ := q.Submit(alice)
		waiting, _ := q.Submit(alice)
		q.Await(waiting, waitOf(alice, 1))
		over, _ := q.Submit(bob)
		complete(q, over, ioqueue.Completion{})
		take(q, over)
		forged := fiber.Token(n)
		if forged == inFlight || forged == waiting || forged == over {
			return
		}
		before := snapshot(q)
		tryForged(t, q, forged)
		if after := snapshot(q); !reflect.DeepEqual(before, after) {
			t.Fatalf("token %d changed the queue:\n%v\n%v", n, before, after)
		}
	})
}

func tryForged(t *testing.T, q *Queue, forged fiber.Token) {
	if _, err := q.Await(forged, waitOf(alice, 2)); err != ioqueue.ErrUnknownToken {
		t.Fatalf("Await: %v", err)
	}
	if _, err := q.Attach(forged, &ioqueue.Cell{}); err != ioqueue.ErrUnknownToken {
		t.Fatalf("Attach: %v", err)
	}
	if ticket, v := complete(q, forged, ioqueue.Completion{}); v != ioqueue.Unknown || !ticket.IsZero() {
		t.Fatalf("Complete: %v %v", ticket, v)
	}
	if err := q.Unawait(forged); err != ioqueue.ErrUnknownToken {
		t.Fatalf("Unawait: %v", err)
	}
	if err := q.Abandon(forged); err != ioqueue.ErrUnknownToken {
		t.Fatalf("Abandon: %v", err)
	}
	if _, ok := take(q, forged); ok || q.Owner(forged) != 0 || q.Settle(forged, nil) != nil {
		t.Fatal("a forged token has a result or an owner")
	}
	if c := q.Counters(); c.Unknown != 1 {
		t.Fatalf("counted %d unknown completions, want 1", c.Unknown)
	}
}

// snapshot is everything but the counter of unknown completions.
func snapshot(q *Queue) any {
	type view struct {
		Slots                          map[uint32]slot
		Owned                          []uint32
		Cancel                         uint32
		Retired, Awaiting, Outstanding int
		Counters                       ioqueue.Counters
	}
	v := view{map[uint32]slot{}, append([]uint32{}, q.owned...), q.cancel, q.retired, q.awaiting, q.Outstanding(), q.counters}
	v.Counters.Unknown = 0
	for i := uint32(1); i <= q.slots.touched; i++ {
		v.Slots[i] = *q.slots.at(i)
	}
	return v
}
