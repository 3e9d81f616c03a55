package opqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Await registers the ticket of the wait that the owner has just armed. Early means that
// the operation is already complete: the wait is latched at once and the result can be
// taken (docs/design.md#transitions). Errors: ErrUnknownToken, ErrNotOwner, ErrAwaited, ErrAbandoned.
func (q *Queue) Await(t fiber.Token, ticket fiber.Ticket) (early bool, err error) {
	s, err := q.unawaited(t)
	if err != nil {
		return false, err
	}
	if s.owner.ID() != ticket.ID {
		return false, ioqueue.ErrNotOwner
	}
	if s.phase == done {
		s.phase = ready
		return true, nil
	}
	s.phase, s.wait = awaited, ticket.Seq
	q.awaiting++
	return false, nil
}

// AwaitInFlight is the fast path of Await: it handles only an operation that is in flight
// and not awaited. Otherwise it returns false and changes nothing; then call Await.
func (q *Queue) AwaitInFlight(t fiber.Token, ticket fiber.Ticket) bool {
	s := q.slots.peek(ioqueue.SlotOf(t))
	if s == nil || s.name != t || s.phase != inFlight || s.owner.ID() != ticket.ID {
		return false
	}
	s.phase, s.wait = awaited, ticket.Seq
	q.awaiting++
	return true
}

// Attach lets a cell take the result, for a trampoline, which cannot await a token (I8).
// Early means that the operation is already complete: call Settle next. Errors:
// ErrUnknownToken, ErrAwaited, ErrAbandoned.
func (q *Queue) Attach(t fiber.Token, c *ioqueue.Cell) (early bool, err error) {
	s, err := q.unawaited(t)
	if err != nil {
		return false, err
	}
	s.cell = c
	if s.phase == done {
		s.phase = ready
		return true, nil
	}
	s.phase = attached
	q.awaiting++
	return false, nil
}

// unawaited finds a token that can still be waited for.
func (q *Queue) unawaited(t fiber.Token) (*slot, error) {
	s := q.live(t)
	switch {
	case s == nil:
		return nil, ioqueue.ErrUnknownToken
	case s.phase == cancelDue || s.phase == orphan:
		return nil, ioqueue.ErrAbandoned
	case s.phase != inFlight && s.phase != done:
		return nil, ioqueue.ErrAwaited
	}
	return s, nil
}

// Unawait takes an Await back (Disarm). The operation stays in flight. Errors:
// ErrUnknownToken, ErrNotAwaited.
func (q *Queue) Unawait(t fiber.Token) error {
	s := q.live(t)
	if s == nil {
		return ioqueue.ErrUnknownToken
	}
	if s.phase != awaited {
		return ErrNotAwaited
	}
	s.phase, s.wait = inFlight, 0
	q.awaiting--
	return nil
}
