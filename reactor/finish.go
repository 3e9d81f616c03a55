package reactor

import "github.com/selvage-dev/selvage/fiber"

// end ends the slice of the current fiber. A fiber that goes on at once (FrameChanged, an
// operation that did not wait) keeps its group's turn and what is left of its budget. It gets a new
// Slice, because the old one is cleared: its effects were carried out, and must not be again.
func (r *Reactor[T]) end(s *Slice[T]) {
	if r.finish(s) {
		again := r.newSlice()
		again.Data, again.ID, again.group = s.Data, s.ID, s.group
		again.Budget = s.Budget
		r.markUnwinding(again)
		r.handOut(again)
	} else {
		r.handOutNext(r.groups.release(s.group))
	}
	r.recycle(s)
	r.progressed = true
}

// finish gives the slice's outcome to the scheduler. A doomed fiber dies whatever the outcome
// is, so its operation is not begun. The fiber is current throughout, so Await.Begin arms and parks
// as an operation of the fiber itself, and no other code runs between its Arm and the Block of
// Finish (I13).
func (r *Reactor[T]) finish(s *Slice[T]) (goesOn bool) {
	out, slot := s.out, s.ID.ID().Index()
	if !r.sched.Unwind().KillPending(s.ID.ID()) {
		switch {
		// Return may leave both nil, and a panic or Goexit leaves an error without a result.
		case out.Ends() && (s.result != nil || s.err != nil):
			r.sched.SetResult(s.result, s.err)
		case s.await != nil:
			s.await.Begin(r.sched, s.Data)
			if !r.sched.Inspect().Armed() { // the answer was there
				out, s.await = fiber.Outcome{Kind: fiber.FrameChanged}, nil
			}
		// A worker cannot ask for TimerRoom before it blocks with a deadline, so the owner
		// does. A refused fiber goes on and finds the error in Slice.Refused.
		case out.Kind == fiber.Block && out.Reason.Deadline != fiber.Never:
			if err := r.sched.Attachments().TimerRoom(); err != nil {
				out = fiber.Outcome{Kind: fiber.FrameChanged}
				r.setPending(int(slot), pending[T]{id: s.ID, refused: err})
			}
		}
		out = s.charge(out)
		if out.Kind == fiber.Block {
			r.setPending(int(slot), pending[T]{id: s.ID, await: s.await})
		}
	}
	return r.sched.Finish(out)
}

// charge makes going on at once cost at least one unit of the budget, so that a fiber that only
// changes frames is preempted like any other.
func (s *Slice[T]) charge(out fiber.Outcome) fiber.Outcome {
	if out.Kind == fiber.FrameChanged || out.Kind == fiber.OSR {
		if s.Budget--; s.Budget <= 0 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
	}
	return out
}

// setPending remembers how a fiber waits, by its slot. A fiber has one wait at a time, and the
// ID in the entry tells it from an earlier fiber of the slot.
func (r *Reactor[T]) setPending(slot int, p pending[T]) {
	for slot >= len(r.pending) {
		r.pending = append(r.pending, pending[T]{})
	}
	r.pending[slot] = p
}

// recycle clears a slice, so that it keeps nothing alive, and keeps it for later use.
func (r *Reactor[T]) recycle(s *Slice[T]) {
	clear(s.effects)
	effects := s.effects[:0]
	*s = Slice[T]{effects: effects}
	r.free = append(r.free, s)
}
