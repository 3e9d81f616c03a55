package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/panicstate"
)

// Pump drives other fibers with m until the native call that Block has left Pinned can
// continue, and mounts it again. It serves everything that a loop serves: commands from other
// goroutines, completions, timers. The end or panic of another fiber meanwhile does not reach
// the call. The error is nil, or why nothing can ever wake the call (*DeadlockError,
// *StackInversionError): its wait has then ended with Killed, and it and its callers have to
// unwind.
//
// It returns only when its own call is Running and innermost: calls that other fibers pin
// meanwhile have pumps of their own, further up the same native stack, which have returned
// before (I2). Each pump costs a frame of the driving stack, so their number is bounded by
// Config.MaxNesting.
//
// A Go panic of m.Resume ends the fiber that was resumed, and passes on through the pinned
// callers, with the scheduler in order.
func (f Calls[T]) Pump(m Machine[T]) error {
	s := f.sched
	if len(s.pins) == 0 || s.cur != s.none {
		s.refuse(op.Pump)
	}
	f.mustHaveMachine(m)
	// Only a deferred call sees both a panic and runtime.Goexit. recover returns nil for the
	// latter and for a normal return, so a flag tells these two apart.
	returned := false
	defer func() {
		if !returned {
			s.pump().abort(recover())
		}
	}()
	verdict := f.pumpUntilWoken(m)
	returned = true
	f.Unpin()
	return verdict
}

// pumpUntilWoken is the loop of Run with another end: the innermost pinned call is Running.
// The end of the run ends it too, because checkStop kills the pinned fiber and so ends its
// wait. The verdict Done cannot come, because the pinned fiber is alive. Waiting parks with
// the context of the run, so that its end is not slept through.
func (f Calls[T]) pumpUntilWoken(m Machine[T]) (verdict error) {
	s := f.sched
	for _, canContinue := f.Pinned(); !canContinue; _, canContinue = f.Pinned() {
		s.Steps().checkStop()
		// A poll can end the run: then the pinned call is killed, and not slept for.
		if f.slice(m) || s.Poll() || s.Steps().stopRequest() != nil {
			continue
		}
		switch v := s.Steps().IdleVerdictWithReport(); v.Kind {
		case Waiting:
			s.Steps().WaitForInput(s.Steps().context(), v.Until)
		case Deadlock, StackInversion:
			verdict = f.FailPinned()
		}
	}
	return verdict
}

// PumpTurn runs the other fibers for one turn and comes back to the native call that
// executes: what the end of a time slice is in a fiber that nests. It serves everything from
// outside and then at most one batch. The call stays Running, so no verdict is needed: Unpin
// cannot be refused. When one of the fibers ends the run, no other begins.
func (f Calls[T]) PumpTurn(m Machine[T]) {
	s := f.sched
	f.mustHaveMachine(m)
	f.YieldPinned()
	returned := false
	defer func() {
		if !returned {
			s.pump().abort(recover())
		}
	}()
	s.Steps().checkStop()
	s.Poll()
	for s.Steps().stopRequest() == nil && f.slice(m) {
	}
	returned = true
	f.Unpin()
}

func (f Calls[T]) mustHaveMachine(m Machine[T]) {
	if m == nil {
		f.sched.refuseAs(op.Pump, rule.ValidArgument, "the pump has no Machine: pass the one that the loop resumes fibers with")
	}
}

// slice runs the next fiber of the batch for one slice; false if the batch is empty. A fiber
// that pins itself in Resume comes back with its own pump ended, so the pins are as before.
func (f Calls[T]) slice(m Machine[T]) bool {
	s := f.sched
	next := s.ScheduleNext()
	if next == nil {
		return false
	}
	for s.Finish(m.Resume(s, next)) {
	}
	return true
}

// abort leaves a pump that is cut short by a Go panic of the host in Resume or in a command,
// or by runtime.Goexit (then value is nil). The fiber that ran has no frames any more, so it
// ends; the pinned callers become current again, for their own deferred calls; and the panic
// passes on to them. A scheduler that is poisoned, or was left in the middle of an operation,
// cannot be put in order: then the panic only passes on.
func (f pump) abort(value any) {
	c := f.core
	if c.poison == nil && c.op == c.restOp {
		if c.cur != c.none {
			f.endAborted(value)
		}
		f.unpinAborted()
	}
	if value != nil {
		panic(value)
	}
}

// endAborted ends the current fiber as the host would have: the order is forced by the rules.
// Nothing may be armed when a trampoline is released or the fiber exits (I13), and the
// trampolines end from the top down (I4).
func (f pump) endAborted(value any) {
	c := f.core
	if invariants.On {
		c.mistakes().excuse()
	}
	if value == nil {
		value = "runtime.Goexit"
	}
	if c.Inspect().Armed() {
		c.Disarm()
	}
	for id, inCall := c.executingID().Trampoline(); inCall; id, inCall = c.executingID().Trampoline() {
		c.ReleaseTrampoline(id)
	}
	c.SetResult(nil, &PanicError{Value: value, Site: "the host, resuming the fiber"})
	c.KillCurrent()
}

// unpinAborted makes the pinned chain current without what its call waited for. The wait ends
// with Killed, as if the pump had failed it: the call is Running, which unpin requires, and
// no registration is left (I10).
func (f pump) unpinAborted() {
	c := f.core
	if len(c.pins) == 0 {
		return
	}
	c.enter(op.Pump)
	if h, id := c.chains().topOf(c.pins[len(c.pins)-1].root); h.state() == fiber.Blocked {
		c.end(h, id, fiber.Result{Code: fiber.Killed}, tokenAbandoned)
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Pump, ID: id, Answer: "aborted"})
		}
		c.deliverPending()
	}
	c.leave()
	f.unpin()
}

// FailPinned ends the wait of the innermost pinned call when the verdict is that nothing else
// can. The call continues with Killed and a Fatal panic, which is also returned
// (*DeadlockError, *StackInversionError), and unwinds with all its callers. The panic is
// Fatal so that no recover of the guest continues below a call that can never return (I6). The
// other fibers go on; a run in which it happened returns the first such error, or what ended the
// run before its fibers had ended (Loop.Finished). It is a contract error while something may still wake the call (CALL-ORDER), or while a fiber
// is current (I2). O(fibers), for the report.
func (f Calls[T]) FailPinned() error {
	c := &f.sched.Core
	c.enter(op.Pump)
	if c.cur != c.none {
		c.refuse(op.Pump)
	}
	v := idleVerdictWithReport(c)
	err := v.Err()
	if err == nil || len(c.pins) == 0 {
		c.refuseAs(op.Pump, rule.CallOrder, "only a deadlock or a stack inversion under a pump fails a pinned call: continue pumping")
	}
	root := c.pins[len(c.pins)-1].root
	h, id := c.chains().topOf(root)
	// The panic is in force before the wait ends: the call must not run a step without it.
	c.Unwind().panicsOf(h).Begin(panicstate.Fatal, err, c.siteOf(id))
	root.set(fatal)
	if c.ctx != nil && c.stuck == nil {
		c.stuck = err
	}
	c.end(h, id, fiber.Result{Code: fiber.Killed}, tokenAbandoned)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Pump, ID: id, Answer: v.Kind.String()})
	}
	c.deliverPending()
	c.leave()
	return err
}
