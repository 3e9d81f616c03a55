package ioqueue

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Room is where fibers wait while a Queue has given out as many tokens as it may. It
// serves in order of arrival (I11): a place that becomes free is kept for the head of the
// line, and neither a later arrival nor a fiber that runs takes it. The fiber that was
// woken claims it by SubmitReserved; if it dies first, the next in line has it.
//
// It belongs to its Queue, and to the goroutine that owns the scheduler.
//
// Invariant, checked by the property test after every Admit: somebody waits only
// while every place is taken or kept.
type Room struct {
	fiber.Anchor
	queue *Queue
	line  waitq.Queue[struct{}] // assigned: places that are kept
	kept  int
}

var (
	_ fiber.Assigner  = (*Room)(nil)
	_ fiber.Described = (*Room)(nil)
)

// Room is where to wait when Submit refuses with ErrFull.
func (q *Queue) Room() *Room { return &q.room }

// SubmitReserved is Submit for a fiber whose wait for Room with this ticket has ended: it
// takes the place that was kept for it. Errors besides Submit's: ErrNoRoom if there is
// none, because the wait ended otherwise or the place was claimed before.
func (q *Queue) SubmitReserved(owner fiber.RegularID, t fiber.Ticket) (fiber.Token, error) {
	if _, _, ok := q.room.line.Collect(t); !ok {
		return 0, ErrNoRoom
	}
	q.room.kept--
	return q.submit(owner)
}

// busy tells whether somebody waits for a place, or has one kept.
func (r *Room) busy() bool { return r.kept > 0 || r.line.AnyWaits() }

// Crowded tells whether anybody waits for Room: only then is there something to Admit.
func (q *Queue) Crowded() bool { return q.room.line.AnyWaits() }

// Admit keeps the places that have become free for those who wait longest, and appends
// them to dst. Call it after whatever may have ended a token: Complete, Settle, Take,
// Abandon, AbandonOwned, and a SubmitReserved that failed. While nobody waits it costs
// next to nothing.
func (q *Queue) Admit(dst []fiber.Wakeup) []fiber.Wakeup {
	r := &q.room
	for r.line.Waiting() > 0 && !q.taken() {
		t, tag, _ := r.line.Match(struct{}{})
		r.kept++
		dst = append(dst, fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK, Value: tag}, From: r.Slot()})
	}
	return dst
}

// Park registers the ticket of a wait the caller just armed with this Room as its source;
// tag comes back as the wake-up's Result.Value. The error is ErrOrder.
func (r *Room) Park(t fiber.Ticket, tag uint32) error {
	if !r.line.Push(t, tag, struct{}{}) {
		return ErrOrder
	}
	return nil
}

// Withdraw removes the ticket from the line. Nobody can go on because of that.
func (r *Room) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	r.line.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (r *Room) Holds(t fiber.Ticket) bool { return r.line.Holds(t) }

// Forfeit gives the place of a fiber that died before it claimed it to the next in line.
func (r *Room) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if _, ok := r.line.Forfeit(t); ok {
		r.kept--
	}
	return r.queue.Admit(dst)
}

// Keeps tells whether a place is kept for the ticket.
func (r *Room) Keeps(t fiber.Ticket) bool { return r.kept > 0 && r.line.Keeps(t) }

// Waiting counts those in line.
func (r *Room) Waiting() int { return r.line.Waiting() }

// Comes tells whether somebody waits and the outside alone will make room: an operation
// that nobody awaits any more has not been acknowledged.
func (r *Room) Comes() bool { return r.line.Waiting() > 0 && r.queue.orphans > 0 }

// Describe tells a deadlock report what is waited for.
func (r *Room) Describe() string {
	return fmt.Sprintf("room for an operation (%d are not over, the limit)", r.queue.limit)
}

// Holders are not known: whoever takes a result, or gives up, makes room.
func (r *Room) Holders(dst []fiber.ID) []fiber.ID { return dst }
