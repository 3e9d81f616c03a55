package opqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Abandon gives up a token, because its wait ended by deadline, cancel or kill. If it is in
// flight it becomes an orphan: the device is told to cancel it (Cancellations), and one
// completion acknowledges that. If it has a result already, the result is dropped. An
// attached cell is failed by FailCells. Errors: ErrUnknownToken, ErrAbandoned.
func (q *Queue) Abandon(t fiber.Token) error {
	s := q.live(t)
	switch {
	case s == nil:
		return ioqueue.ErrUnknownToken
	case s.phase == cancelDue || s.phase == orphan:
		return ioqueue.ErrAbandoned
	}
	q.abandon(s)
	return nil
}

// AbandonOwned gives up every token of a fiber that died, in the order of submission, and
// returns their number, to which its time is proportional.
func (q *Queue) AbandonOwned(owner fiber.RegularID) int {
	if int(owner.Index()) >= len(q.owned) {
		return 0
	}
	n, head := 0, &q.owned[owner.Index()]
	for *head != 0 && q.slots.at(*head).owner == owner {
		q.abandon(q.slots.at(*head))
		n++
	}
	return n
}

func (q *Queue) abandon(s *slot) {
	if s.cell != nil {
		q.broken = append(q.broken, s.cell)
		s.cell = nil
	}
	if s.phase == done || s.phase == ready {
		t := s.name
		q.counters.Dropped++
		var c ioqueue.Completion
		q.end(s, &c)
		q.drop(t, c)
		return
	}
	if s.waits() {
		q.awaiting--
	}
	i := ioqueue.SlotOf(s.name)
	q.remove(&q.owned[s.owner.Index()], i, s)
	s.phase, s.wait, s.owner = cancelDue, 0, 0
	q.push(&q.cancel, i, s)
	q.orphans++
	q.counters.Abandoned++
}

// Cancellations appends to dst the tokens abandoned since the last call that are still in
// flight, in order. The device cancels them. Each token is returned once.
func (q *Queue) Cancellations(dst []fiber.Token) []fiber.Token {
	for q.cancel != 0 {
		i := q.cancel
		s := q.slots.at(i)
		q.remove(&q.cancel, i, s)
		s.phase = orphan
		dst = append(dst, s.name)
	}
	return dst
}

// FailCells completes with ErrAbandoned every cell whose operation was abandoned since the
// last call, and appends to dst the fibers that wait for them. Call it after Abandon and
// AbandonOwned.
func (q *Queue) FailCells(dst []fiber.Wakeup) []fiber.Wakeup {
	for n, c := range q.broken {
		q.broken[n] = nil
		// A cell that was completed otherwise in the meantime keeps that result.
		dst, _ = c.Complete(nil, ioqueue.ErrAbandoned, dst)
	}
	q.broken = q.broken[:0]
	return dst
}
