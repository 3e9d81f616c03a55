package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// Pump drives other fibers with m until the native call that Block has left Pinned may
// go on, and mounts it again. It serves everything a loop serves: commands from other
// goroutines, completions, timers. A fiber that ends or panics meanwhile does so to its
// own account. The error is nil, or why nothing can ever wake the call
// (*DeadlockError, *StackInversionError): its wait has ended with Killed then, and it
// and its callers have to unwind.
//
// A Go panic of m.Resume ends the fiber that was resumed, and passes on through the
// pinned callers, with the scheduler in order.
func (s *Scheduler[T]) Pump(m Machine[T]) error {
	if len(s.pins) == 0 || s.cur != s.none {
		s.refuse(OpPump)
	}
	returned := false
	defer func() {
		if !returned {
			s.desert(recover())
		}
	}()
	verdict := s.pumpUntilItGoesOn(m)
	returned = true
	s.Unpin()
	return verdict
}

func (s *Scheduler[T]) pumpUntilItGoesOn(m Machine[T]) (verdict error) {
	for _, goesOn := s.Pinned(); !goesOn; _, goesOn = s.Pinned() {
		s.heed()
		if s.slice(m) || s.Poll() {
			continue
		}
		switch v := s.IdleVerdictWithReport(); v.Kind {
		case Waiting:
			s.WaitForInput(s.context(), v.Until)
		case Deadlock, StackInversion:
			verdict = s.FailPinned()
		}
	}
	return verdict
}

// PumpTurn gives the other fibers one turn, and comes back to the native call that
// executes: what the end of a slice is in a fiber that nests. It serves everything from
// outside and then at most one batch.
func (s *Scheduler[T]) PumpTurn(m Machine[T]) {
	s.YieldPinned()
	returned := false
	defer func() {
		if !returned {
			s.desert(recover())
		}
	}()
	s.heed()
	s.Poll()
	for s.ended() == nil && s.slice(m) {
	}
	returned = true
	s.Unpin()
}

// slice runs the next fiber of the batch for one slice; false if there is none.
func (s *Scheduler[T]) slice(m Machine[T]) bool {
	f := s.ScheduleNext()
	if f == nil {
		return false
	}
	for s.Finish(m.Resume(s, f)) {
	}
	return true
}

// desert leaves a pump that is cut short by a Go panic (or runtime.Goexit: then it is
// nil) of the host, in Resume or in a command. The fiber that ran has no frames any
// more, so it ends; the pinned callers become current again, for their own deferred
// calls; and the panic passes on to them.
func (c *Core) desert(value any) {
	if c.poison == nil && c.inside == c.outside {
		if c.cur != c.none {
			c.endDeserted(value)
		}
		c.unpinDeserted()
	}
	if value != nil {
		panic(value)
	}
}

func (c *Core) endDeserted(value any) {
	if value == nil {
		value = "runtime.Goexit"
	}
	if c.Armed() {
		c.Disarm()
	}
	for id, inside := c.Executing().Trampoline(); inside; id, inside = c.Executing().Trampoline() {
		c.ReleaseTrampoline(id)
	}
	c.SetResult(nil, &PanicError{Value: value, Site: "the host, resuming the fiber"})
	c.KillCurrent()
}

func (c *Core) unpinDeserted() {
	if len(c.pins) == 0 {
		return
	}
	c.enter(OpPump)
	if h, id := c.topOf(c.pins[len(c.pins)-1].root); h.state() == fiber.Blocked {
		c.end(h, id, fiber.Result{Code: fiber.Killed}, tokenAbandoned)
		if c.watch != nil {
			c.report(Transition{Op: OpPump, ID: id, Answer: "deserted"})
		}
		c.deliverPending()
	}
	c.leave()
	c.Unpin()
}

// heed ends the run that the pump is part of, if something has: every fiber is killed,
// the pinned ones too, and so the pump ends.
func (c *Core) heed() {
	if cause := c.ended(); cause != nil {
		c.stop(cause)
	}
}

// ended is what has ended the run and was not heeded yet: the end of the main fiber, a
// panic that fails the run, or the context.
func (c *Core) ended() error {
	switch {
	case c.ctx == nil || c.stopping:
		return nil
	case c.over != nil:
		return c.over
	case c.ctx.Err() == nil: // asked at every turn, and cheaper than the cause
		return nil
	}
	return context.Cause(c.ctx)
}

// context is that of the run; a host that owns its loop has none.
func (c *Core) context() context.Context {
	if c.ctx == nil {
		return context.Background()
	}
	return c.ctx
}
