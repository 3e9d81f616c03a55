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
	if ticket, ok := q.CompleteAwaited(t, c); ok {
		return ticket, Deliver
	}
	return fiber.Ticket{}, q.completeOtherwise(t, c)
}

// CompleteAwaited is CompleteFrom where there is nothing to decide: the owner awaits the
// token. Otherwise it is false, nothing has happened, and CompleteFrom says what is so.
func (q *Queue) CompleteAwaited(t fiber.Token, c *Completion) (fiber.Ticket, bool) {
	s := q.slots.peek(SlotOf(t))
	if s == nil || s.name != t || s.phase != awaited {
		return fiber.Ticket{}, false
	}
	q.counters.Completed++
	q.awaiting--
	s.keep(c)
	ticket := fiber.Ticket{ID: s.owner.ID(), Seq: s.wait}
	s.phase, s.wait = ready, 0
	return ticket, true
}

// keep copies a completion one field at a time: as one piece it would be read again in
// larger units than those in which it has just been written, for which a core has to wait.
func (s *slot) keep(c *Completion) {
	s.completion.N = c.N
	if c.Value != nil || c.Err != nil { // else there is none already
		s.completion.Value, s.completion.Err = c.Value, c.Err
	}
}

// give moves the completion out. Most have no pointers that would have to be cleared.
func (s *slot) give(c *Completion) {
	from := &s.completion
	c.N, c.Value, c.Err = from.N, from.Value, from.Err
	from.N = 0
	if from.Value != nil || from.Err != nil {
		from.Value, from.Err = nil, nil
	}
}

// completeOtherwise is CompleteFrom of a token that no fiber waits for.
func (q *Queue) completeOtherwise(t fiber.Token, c *Completion) Verdict {
	s := q.live(t)
	switch {
	case s != nil && (s.phase == cancelDue || s.phase == orphan):
		q.acknowledge(t, s, *c)
		return Late
	case s != nil && s.phase != done && s.phase != ready:
		return q.finish(s, c)
	case q.issued(t):
		q.counters.Duplicate++
		return Duplicate
	}
	q.counters.Unknown++
	return Unknown
}

// finish keeps a completion for those who will want it, or for the cell that is attached.
func (q *Queue) finish(s *slot, c *Completion) Verdict {
	q.counters.Completed++
	s.keep(c)
	if s.phase == inFlight {
		s.phase = done
		return Early
	}
	q.awaiting--
	s.phase = ready
	return Attached
}

// acknowledge ends an abandoned token.
func (q *Queue) acknowledge(t fiber.Token, s *slot, c Completion) {
	if s.phase == cancelDue {
		q.remove(&q.cancel, SlotOf(t), s)
	}
	q.release(s)
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
	s.cell = nil
	var c Completion
	q.end(s, &c)
	dst, err := cell.Complete(c, c.Err, dst)
	if err != nil {
		q.counters.Dropped++
		q.drop(t, c)
	}
	return dst
}
