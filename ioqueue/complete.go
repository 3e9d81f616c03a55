package ioqueue

import "github.com/selvage-dev/selvage/fiber"

// Complete records the end of an operation. Any token may be given, true or forged,
// any number of times: the verdict says what it did. The ticket is set only with
// Deliver.
func (q *Queue) Complete(t fiber.Token, c Completion) (fiber.Ticket, Verdict) {
	return q.CompleteFrom(t, &c)
}

// CompleteFrom is Complete without a copy of the completion on the way.
func (q *Queue) CompleteFrom(t fiber.Token, c *Completion) (fiber.Ticket, Verdict) {
	s := q.live(t)
	switch {
	case s != nil && (s.phase == cancelDue || s.phase == orphan):
		q.acknowledge(t, s, *c)
		return fiber.Ticket{}, Late
	case s != nil && s.phase != done && s.phase != ready:
		return q.finish(s, c)
	case q.issued(t):
		q.counters.Duplicate++
		return fiber.Ticket{}, Duplicate
	}
	q.counters.Unknown++
	return fiber.Ticket{}, Unknown
}

// finish gives a completion to those who want it, now or later.
func (q *Queue) finish(s *slot, c *Completion) (ticket fiber.Ticket, v Verdict) {
	q.outstanding--
	q.counters.Completed++
	s.completion = *c
	if s.phase == inFlight {
		s.phase = done
		return fiber.Ticket{}, Early
	}
	q.awaiting--
	v = Deliver
	if s.phase == attached {
		v = Attached
	}
	s.phase = ready
	ticket, s.ticket = s.ticket, fiber.Ticket{}
	return ticket, v
}

// acknowledge ends an abandoned token.
func (q *Queue) acknowledge(t fiber.Token, s *slot, c Completion) {
	if s.phase == cancelDue {
		q.remove(&q.cancel, SlotOf(t))
	}
	q.release(s)
	q.outstanding--
	q.orphans--
	q.counters.Late++
	q.drop(t, c)
}

// Settle gives the result of an Attached token to its cell, ends the token, and
// appends to dst whoever waits for the cell. The cell's value is the Completion, its
// error the Completion's. A cell that somebody else completed keeps its result, and
// this one is dropped. It does nothing for any other token.
func (q *Queue) Settle(t fiber.Token, dst []fiber.Wakeup) []fiber.Wakeup {
	s := q.live(t)
	if s == nil || s.phase != ready || s.cell == nil {
		return dst
	}
	cell := s.cell
	var c Completion
	q.end(s, &c)
	dst, err := cell.Complete(c, c.Err, dst)
	if err != nil {
		q.counters.Dropped++
		q.drop(t, c)
	}
	return dst
}
