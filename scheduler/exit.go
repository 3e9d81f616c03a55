package scheduler

import (
	"errors"

	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/panicstate"
)

// SetResult sets what the current fiber's end will report; the last call counts. A kill or an
// unrecovered panic overrides it; an err that is a failure of its own is joined with the cause of
// a kill and with a Fatal panic. Under a native call it sets the result of the root. It costs the
// fiber an extension record.
func (c *Core) SetResult(result any, err error) {
	c.enter(op.Exit)
	c.executing(op.Exit)
	s := c.reg.keepExt(c.cur)
	s.result, s.err = result, err
	c.leave()
}

// KillCurrent ends the current fiber. It is the normal end of every fiber: one that has
// returned, panicked, or unwound; the name is that of the transition in the specification.
// Its join cell is completed, its locks and tokens follow their owner-death policy, its slot
// is free. Every trampoline above it must have been released (I2), and no wait may be armed
// (I13). The time is proportional to what the fiber holds. The fast path ends a fiber that holds
// nothing and has no result; it allocates nothing.
//
// It returns what the fiber ended with: err is nil after a plain return, else the guest's
// error, a *PanicError with its site, or an error wrapping ErrKilled.
func (c *Core) KillCurrent() (result any, err error) {
	if invariants.On {
		c.checkOwner(op.Exit)
		c.mistakes().mustHold(op.Exit)
	}
	h := c.cur
	if h.word&exitMask != running || c.op != op.None || c.groups != nil {
		return c.exitSlow()
	}
	c.cur = c.none
	c.pass(h, exited, c.curSlot())
	c.slots.dropPayload(h)
	c.slots.give(c.curSlot(), h)
	c.counts.Ended++
	if invariants.On {
		c.endFast()
	}
	return nil, nil
}

// exitSlow ends a fiber that holds something, or refuses. A panic that ends the run is recorded
// before endFiber: it is stronger than the end of a main fiber. What sources and links decide is delivered after the observer has received the
// exit.
func (c *Core) exitSlow() (result any, err error) {
	c.enter(op.Exit)
	h := c.cur
	c.mustBeAbleToExit(h)
	c.cur = c.none
	if s := c.reg.ext(h); s != nil {
		result, err = s.ending(h.has(killPending))
		if s.failsRun(h.has(killPending)) && c.ended == nil {
			c.ended = err
		}
	}
	c.endFiber(h, c.curSlot(), exited, result, err)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Exit, ID: c.curID})
	}
	c.deliverPending()
	c.leave()
	return result, err
}

// Exit is SetResult and KillCurrent, both or neither: it checks first that the fiber can end, so a
// refusal does not leave a result behind.
func (c *Core) Exit(result any, err error) (any, error) {
	if result != nil || err != nil {
		c.enter(op.Exit)
		c.mustBeAbleToExit(c.cur)
		c.leave()
		c.SetResult(result, err)
	}
	return c.KillCurrent()
}

// mustBeAbleToExit refuses the end of a fiber that is not current, has a wait armed, or is in a
// native call: its frames would return into a fiber that no longer exists.
func (c *Core) mustBeAbleToExit(h *header) {
	if h.word&(gateMask|chained) != running {
		c.refuse(op.Exit)
	}
}

// ending is what the fiber ends with. The order is that of strength: a kill, then the outcome of
// the panic machine, then what SetResult stored. Another failure while a Fatal panic unwound is
// joined; one that only wraps the panic is not.
func (s *ext) ending(killed bool) (any, error) {
	if killed {
		return nil, s.killedError()
	}
	if p, panicked := s.outcome(); panicked {
		err := s.panicError(p)
		if p.Kind == panicstate.Fatal && s.err != nil && !wraps(s.err, errors.Unwrap(err)) {
			return nil, errors.Join(err, s.err) // another failure while it unwound
		}
		return nil, err
	}
	return s.result, s.err
}

// failsRun reports whether the fiber's end is a panic whose policy ends the run. The panic of
// a killed or cancelled fiber is part of its unwinding and does not.
func (s *ext) failsRun(killed bool) bool {
	p, panicked := s.outcome()
	return (panicked || s.panicked) && s.policy == panicstate.FailRun && !killed && !s.unwoundForCancel(p)
}

// killedError is the cause of the kill, joined with what else failed while the fiber unwound
// (a panic in a deferred call): no failure is swallowed. An error that wraps ErrKilled is what the
// refused operations returned on the way, and not another failure.
func (s *ext) killedError() error {
	if s.err == nil || errors.Is(s.err, ErrKilled) {
		return s.cause
	}
	return errors.Join(s.cause, s.err)
}
