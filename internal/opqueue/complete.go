package opqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Complete records the end of an operation. It accepts any token, valid or forged, any
// number of times: the verdict tells what it did. The ticket is set only with Deliver. The
// completion is passed by address because it is too large for registers; the queue copies
// it.
func (q *Queue) Complete(t fiber.Token, c *ioqueue.Completion) (fiber.Ticket, ioqueue.Verdict) {
	if ticket, ok := q.CompleteAwaited(t, c); ok {
		return ticket, ioqueue.Deliver
	}
	return fiber.Ticket{}, q.completeSlow(t, c)
}

// CompleteAwaited is the fast path of Complete: it handles only a token that its owner
// awaits. Otherwise it returns false and changes nothing; then call Complete.
func (q *Queue) CompleteAwaited(t fiber.Token, c *ioqueue.Completion) (fiber.Ticket, bool) {
	s := q.slots.peek(ioqueue.SlotOf(t))
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

// keep copies a completion one field at a time. Copied as one piece it would be loaded in
// larger units than it has just been stored in, and the processor would stall on
// store-to-load forwarding.
func (s *slot) keep(c *ioqueue.Completion) {
	s.completion.N = c.N
	if c.Value != nil || c.Err != nil { // a new slot has nil already; spare the write barriers
		s.completion.Value, s.completion.Err = c.Value, c.Err
	}
}

// give moves the completion out. The pointers are cleared, so that the slot keeps nothing
// alive; most completions have none.
func (s *slot) give(c *ioqueue.Completion) {
	from := &s.completion
	c.N, c.Value, c.Err = from.N, from.Value, from.Err
	from.N = 0
	if from.Value != nil || from.Err != nil {
		from.Value, from.Err = nil, nil
	}
}

// completeSlow is Complete of a token that no fiber awaits.
func (q *Queue) completeSlow(t fiber.Token, c *ioqueue.Completion) ioqueue.Verdict {
	s := q.live(t)
	switch {
	case s != nil && (s.phase == cancelDue || s.phase == orphan):
		q.acknowledge(t, s, *c)
		return ioqueue.Late
	case s != nil && s.phase != done && s.phase != ready:
		return q.finish(s, c)
	case q.issued(t):
		q.counters.Duplicate++
		return ioqueue.Duplicate
	}
	q.counters.Unknown++
	return ioqueue.Unknown
}

// finish keeps a completion until its owner awaits or takes it, or for the attached cell.
func (q *Queue) finish(s *slot, c *ioqueue.Completion) ioqueue.Verdict {
	q.counters.Completed++
	s.keep(c)
	if s.phase == inFlight {
		s.phase = done
		return ioqueue.Early
	}
	q.awaiting--
	s.phase = ready
	return ioqueue.Attached
}

// acknowledge ends an abandoned token. A token that was not handed out by Cancellations
// yet is still on the cancel list.
func (q *Queue) acknowledge(t fiber.Token, s *slot, c ioqueue.Completion) {
	if s.phase == cancelDue {
		q.remove(&q.cancel, ioqueue.SlotOf(t), s)
	}
	q.release(s)
	q.orphans--
	q.counters.Late++
	q.drop(t, c)
}

// Settle gives the result of an Attached token to its cell, ends the token, and appends to
// dst the fibers that wait for the cell. The cell's value is the Completion, its error the
// Completion's. A cell that was completed otherwise keeps its result, and this one is
// dropped. For any other token Settle does nothing.
func (q *Queue) Settle(t fiber.Token, dst []fiber.Wakeup) []fiber.Wakeup {
	s := q.live(t)
	if s == nil || s.phase != ready || s.cell == nil {
		return dst
	}
	cell := s.cell
	s.cell = nil
	var c ioqueue.Completion
	q.end(s, &c)
	dst, err := cell.Complete(c, c.Err, dst)
	if err != nil {
		q.counters.Dropped++
		q.drop(t, c)
	}
	return dst
}
