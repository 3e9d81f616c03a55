package opqueue

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Room is where fibers wait while a Queue has given out all its tokens. It serves in order
// of arrival (I11): a place that becomes free is reserved for the head of the line, so
// neither a later arrival nor a running fiber can take it. The fiber that was woken claims
// it with SubmitReserved; if the fiber dies first, the next in line gets the place.
//
// It belongs to its Queue, and to the goroutine that owns the scheduler.
//
// Invariant, checked by the property test after every Admit: a fiber waits only while
// every place is taken or reserved.
type Room struct {
	anchor   fiber.Anchor
	queue    *Queue
	line     waitq.Queue[struct{}] // assigned: reserved places
	reserved int
}

// Room is where fibers wait after Submit has refused with ErrFull.
func (q *Queue) Room() *Room { return &q.room }

// SubmitReserved is Submit for a fiber whose wait for Room with this ticket has ended: it
// takes the place that was reserved for it. Errors besides those of Submit: ErrNoRoom if
// there is none, because the wait ended otherwise or the place was claimed before.
func (q *Queue) SubmitReserved(owner fiber.RegularID, t fiber.Ticket) (fiber.Token, error) {
	if _, _, ok := q.room.line.Collect(t); !ok {
		return 0, ioqueue.ErrNoRoom
	}
	q.room.reserved--
	return q.submit(owner)
}

// busy reports whether a fiber waits for a place, or has one reserved.
func (r *Room) busy() bool { return r.reserved > 0 || r.line.AnyWaits() }

// Crowded reports whether a fiber waits for Room. Otherwise Admit has nothing to do.
func (q *Queue) Crowded() bool { return q.room.line.AnyWaits() }

// Admit reserves the places that have become free for the longest-waiting fibers and
// appends those to dst. Call it after every operation that may have ended a token:
// Complete, Settle, Take, Abandon, AbandonOwned, and a SubmitReserved that failed.
func (q *Queue) Admit(dst []fiber.Wakeup) []fiber.Wakeup {
	r := &q.room
	for r.line.Waiting() > 0 && !q.taken() {
		t, tag, _ := r.line.Match(struct{}{})
		r.reserved++
		dst = append(dst, fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK, Value: tag}, From: r.anchor.Slot()})
	}
	return dst
}

// Park registers the ticket of a wait that the caller has just armed with Source; tag is
// the wake-up's Result.Value. The error is ErrOrder.
func (r *Room) Park(t fiber.Ticket, tag uint32) error {
	if !r.line.Push(t, tag, struct{}{}) {
		return ioqueue.ErrOrder
	}
	return nil
}

// Reserved reports whether a place is reserved for the ticket.
func (r *Room) Reserved(t fiber.Ticket) bool { return r.reserved > 0 && r.line.Keeps(t) }

// AwaitsDevice reports whether a fiber waits and only the outside can make room: the
// acknowledgement of an abandoned operation is due.
func (r *Room) AwaitsDevice() bool { return r.line.Waiting() > 0 && r.queue.orphans > 0 }

// Source is what a wait for room is armed with.
func (r *Room) Source() fiber.Source { return (*roomSource)(r) }

// roomSource is a Room as the scheduler sees it: the same memory, other methods.
type roomSource Room

var (
	_ fiber.Assigner  = (*roomSource)(nil)
	_ fiber.Described = (*roomSource)(nil)
)

// Anchored is the place for the scheduler's note about the room.
func (r *roomSource) Anchored() *fiber.Anchor { return &r.anchor }

// Withdraw removes a waiter that gave up. No place becomes free because of that.
func (r *roomSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	r.line.Withdraw(t)
	return dst
}

// Holds reports whether the ticket waits here.
func (r *roomSource) Holds(t fiber.Ticket) bool { return r.line.Holds(t) }

// Forfeit gives the place of a fiber that died before it claimed it to the next in line.
func (r *roomSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	_, ok := r.line.Forfeit(t)
	if ok {
		r.reserved--
	}
	return r.queue.Admit(dst), ok
}

// Describe is for reports.
func (r *roomSource) Describe() string {
	return fmt.Sprintf("room for an operation (%d have not ended, which is the limit)", r.queue.limit)
}

// Holders appends no fiber: any fiber that takes a result, or abandons an operation, makes
// room.
func (r *roomSource) Holders(dst []fiber.ID) []fiber.ID { return dst }
