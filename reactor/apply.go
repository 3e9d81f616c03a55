package reactor

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// begin starts a slice of the current fiber: it gets the answer it has waited for, and is
// lent to a worker, or stands in its group's line first.
func (r *Reactor[T]) begin(f *scheduler.Fiber[T]) {
	id, _ := r.sched.Current().Regular()
	s := r.newSlice()
	s.Data, s.ID, s.group = &f.Data, id, r.crew.machine.Group(&f.Data)
	s.Budget = r.sched.Inspect().Budget()
	r.unwind(s)
	if !r.lines.enter(s) {
		r.sched.Moves().Lend()
		return
	}
	r.handOut(s)
}

// unwind marks the slice of a fiber that was killed and has a turn all the same: it has
// frames (scheduler.Options), and this is for their defers.
func (r *Reactor[T]) unwind(s *Slice[T]) {
	if r.sched.Unwind().KillPending(s.ID.ID()) {
		s.unwinds, s.Woke = true, fiber.Result{Code: fiber.Killed}
		s.preempt.Store(true)
	}
}

func (r *Reactor[T]) newSlice() *Slice[T] {
	last := len(r.spare) - 1
	if last < 0 {
		return new(Slice[T])
	}
	s := r.spare[last]
	r.spare = r.spare[:last]
	return s
}

// answer collects what the fiber's last slice waited for. One that was killed does not collect:
// what was assigned to it is given back when it is dead (I12).
func (r *Reactor[T]) answer(s *Slice[T]) {
	slot := int(s.ID.ID().Index())
	if slot >= len(r.pending) || r.pending[slot].id != s.ID {
		return
	}
	last := r.pending[slot]
	r.pending[slot] = pending[T]{}
	if s.Refused = last.refused; s.Refused != nil || r.sched.Unwind().KillPending(s.ID.ID()) {
		return
	}
	t, result := r.sched.Claim()
	if last.await == nil {
		s.Woke = result
		return
	}
	last.await.End(r.sched, s.Data, t, result)
}

// handOut gives the current fiber its answer, and its slice to the workers.
func (r *Reactor[T]) handOut(s *Slice[T]) {
	r.answer(s)
	r.sched.Moves().Lend()
	r.handed++
	s.Now, s.flight = r.sched.Now(), r.handed
	r.flights = append(r.flights, s)
	r.crew.take(s)
}

// callUp hands out the slice that is next in its group's line. It was lent at its turn; if
// its fiber has been killed since, nobody runs it: it dies, or has another turn to unwind.
func (r *Reactor[T]) callUp(s *Slice[T]) {
	for ; s != nil; s = r.skip(s) {
		if s.unwinds || !r.sched.Unwind().KillPending(s.ID.ID()) {
			r.sched.Moves().Recall(s.ID)
			r.handOut(s)
			return
		}
	}
}

func (r *Reactor[T]) skip(s *Slice[T]) (next *Slice[T]) {
	r.sched.Moves().Recall(s.ID)
	r.sched.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
	next = r.lines.leave(s.group)
	r.recycle(s)
	return next
}

// end ends the slice of the current fiber. If the fiber goes on at once, it does so with its
// group and what is left of its budget.
func (r *Reactor[T]) end(s *Slice[T]) {
	if r.finish(s) {
		again := r.newSlice()
		again.Data, again.ID, again.group = s.Data, s.ID, s.group
		again.Budget = s.Budget
		r.unwind(again)
		r.handOut(again)
	} else {
		r.callUp(r.lines.leave(s.group))
	}
	r.recycle(s)
	r.acted = true
}

// finish ends the slice as it says; a doomed fiber dies whatever it says.
func (r *Reactor[T]) finish(s *Slice[T]) (goesOn bool) {
	out, slot := s.out, s.ID.ID().Index()
	if !r.sched.Unwind().KillPending(s.ID.ID()) {
		switch {
		case out.Ends() && (s.result != nil || s.err != nil):
			r.sched.SetResult(s.result, s.err)
		case s.await != nil:
			s.await.Begin(r.sched, s.Data)
			if !r.sched.Inspect().Armed() {
				out, s.await = fiber.Outcome{Kind: fiber.FrameChanged}, nil
			}
		case out.Kind == fiber.Block && out.Reason.Deadline != fiber.Never:
			if err := r.sched.Attachments().TimerRoom(); err != nil {
				out = fiber.Outcome{Kind: fiber.FrameChanged}
				r.expect(int(slot), pending[T]{id: s.ID, refused: err})
			}
		}
		out = s.charge(out)
		if out.Kind == fiber.Block {
			r.expect(int(slot), pending[T]{id: s.ID, await: s.await})
		}
	}
	return r.sched.Finish(out)
}

// charge makes going on cost one unit at least: a fiber that only changes frames, or only
// does what needs no waiting, has to make room like any other.
func (s *Slice[T]) charge(out fiber.Outcome) fiber.Outcome {
	if out.Kind == fiber.FrameChanged || out.Kind == fiber.OSR {
		if s.Budget--; s.Budget <= 0 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
	}
	return out
}

func (r *Reactor[T]) expect(slot int, p pending[T]) {
	for slot >= len(r.pending) {
		r.pending = append(r.pending, pending[T]{})
	}
	r.pending[slot] = p
}

func (r *Reactor[T]) recycle(s *Slice[T]) {
	clear(s.effects)
	effects := s.effects[:0]
	*s = Slice[T]{effects: effects}
	r.spare = append(r.spare, s)
}
