package reactor

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// begin starts a slice of the current fiber: it is handed out, or waits behind the slices of
// its group. The fiber is lent in both cases, so that no fiber is current afterward (I2).
func (r *Reactor[T]) begin(f *scheduler.Fiber[T]) {
	id, _ := r.sched.Current().Regular()
	s := r.newSlice()
	s.Data, s.ID, s.group = &f.Data, id, r.workers.machine.Group(&f.Data)
	s.Budget = r.sched.Inspect().Budget()
	r.markUnwinding(s)
	if !r.groups.admit(s) {
		// The fiber has had its turn in the ready queue and keeps its place in the group's.
		// It is lent, though no worker has it, because the scheduler goes on with others.
		r.sched.Moves().Lend()
		return
	}
	r.handOut(s)
}

// markUnwinding prepares the slice of a killed fiber. A killed fiber gets a slice only if it
// has native frames (scheduler.Options.Frames): the slice runs their deferred calls.
func (r *Reactor[T]) markUnwinding(s *Slice[T]) {
	if r.sched.Unwind().KillPending(s.ID.ID()) {
		s.unwinding, s.Woke = true, fiber.Result{Code: fiber.Killed}
		s.preempt.Store(true)
	}
}

// newSlice returns a cleared Slice. Slices are used again, so a run in its steady state allocates
// none; the number of the hand-out tells two uses of one apart.
func (r *Reactor[T]) newSlice() *Slice[T] {
	last := len(r.free) - 1
	if last < 0 {
		return new(Slice[T])
	}
	s := r.free[last]
	r.free = r.free[:last]
	return s
}

// handOut gives the current fiber the result of its last wait, and its slice to the workers. The
// fiber is lent before, because a worker may begin at once. Inline, submit runs the whole slice.
func (r *Reactor[T]) handOut(s *Slice[T]) {
	r.collectWait(s)
	r.sched.Moves().Lend()
	r.handOuts++
	s.Now, s.handOut = r.sched.Now(), r.handOuts
	// Before submit: the worker may have ended the slice when submit returns, and its result must
	// find it here.
	r.inFlight = append(r.inFlight, s)
	r.workers.submit(s)
}

// collectWait puts the result of the wait in which the fiber's last slice ended into the slice
// or the payload. A killed fiber collects nothing: what was assigned to it is given back when
// it is dead (I12). So this must happen at the hand-out, and not before the slice is queued.
func (r *Reactor[T]) collectWait(s *Slice[T]) {
	slot := int(s.ID.ID().Index())
	if slot >= len(r.pending) || r.pending[slot].id != s.ID {
		return // the last slice did not wait, or an earlier fiber of the slot did
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

// handOutNext hands out the next slice of a group, or the first behind it whose fiber is not
// killed. If the fiber was killed while its slice waited, the slice is dropped: the fiber dies
// or gets another slice to unwind in.
func (r *Reactor[T]) handOutNext(s *Slice[T]) {
	for ; s != nil; s = r.dropSlice(s) {
		if s.unwinding || !r.sched.Unwind().KillPending(s.ID.ID()) {
			r.sched.Moves().Recall(s.ID)
			r.handOut(s)
			return
		}
	}
}

// dropSlice ends a waiting slice without running it, and returns the next one of its group.
func (r *Reactor[T]) dropSlice(s *Slice[T]) (next *Slice[T]) {
	r.sched.Moves().Recall(s.ID)
	r.sched.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
	next = r.groups.release(s.group)
	r.recycle(s)
	return next
}
