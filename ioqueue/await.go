package ioqueue

import "github.com/selvage-dev/selvage/fiber"

// Await registers the ticket of the wait the owner just armed. Early means that the
// operation is already complete: the wait is latched at once and the result can be
// taken (DESIGN §2.2). Errors: ErrUnknownToken, ErrNotOwner, ErrAwaited, ErrAbandoned.
func (q *Queue) Await(t fiber.Token, ticket fiber.Ticket) (early bool, err error) {
	_, s, err := q.unawaited(t)
	if err != nil {
		return false, err
	}
	if s.owner.ID() != ticket.ID {
		return false, ErrNotOwner
	}
	if s.phase == done {
		s.phase = ready
		return true, nil
	}
	s.phase, s.ticket = awaited, ticket
	q.awaiting++
	return false, nil
}

// Attach lets a cell take the result, for those who cannot await a token themselves
// (I8). Early means that the operation is already complete: call Settle next. Errors:
// ErrUnknownToken, ErrAwaited, ErrAbandoned.
func (q *Queue) Attach(t fiber.Token, c *Cell) (early bool, err error) {
	_, s, err := q.unawaited(t)
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
func (q *Queue) unawaited(t fiber.Token) (uint32, *slot, error) {
	i, s, ok := q.live(t)
	switch {
	case !ok:
		return 0, nil, ErrUnknownToken
	case s.phase == cancelDue || s.phase == orphan:
		return 0, nil, ErrAbandoned
	case s.phase != inFlight && s.phase != done:
		return 0, nil, ErrAwaited
	}
	return i, s, nil
}

// Unawait takes an Await back (Disarm): the operation goes on, un-awaited. Errors:
// ErrUnknownToken, ErrNotAwaited.
func (q *Queue) Unawait(t fiber.Token) error {
	_, s, ok := q.live(t)
	if !ok {
		return ErrUnknownToken
	}
	if s.phase != awaited {
		return ErrNotAwaited
	}
	s.phase, s.ticket = inFlight, fiber.Ticket{}
	q.awaiting--
	return nil
}
