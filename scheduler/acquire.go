package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// AcquireTrampoline begins a synchronous call from native code and returns its trampoline,
// which is Running on top of the current chain and is the executing context from now on. The
// caller ends it with ReleaseTrampoline; the calls of a chain end in reverse order (I4). It is a
// contract error while a wait is armed (I13), and while a panic is between two deferred calls,
// where no code runs that could call (I7).
//
// Errors, with nothing changed: ErrTooManyTrampolines at Config.MaxTrampolines; ErrTooDeep at
// Config.MaxNesting if the fiber nests; in a fiber that has to unwind ErrKilled or the
// *PanicError of its Fatal panic.
//
// The time is constant. The fast path allocates nothing; it serves a fiber that has an extension
// record, as every fiber has after its first call, while a released trampoline is free.
func (c *Core) AcquireTrampoline() (fiber.TrampolineID, error) {
	if invariants.On {
		c.checkOwner(op.Acquire)
	}
	root, free := c.cur, len(c.tramps.free)
	if root.word&acquireMask != running|hasExt || free == 0 || c.step >= c.fastUntil {
		return c.acquireSlow()
	}
	s := c.reg.exts.all[root.ref-1]
	if s.panics != nil && !s.runsCode() || s.top != 0 && c.tramps.all[s.top-1].has(hasExt) {
		return c.acquireSlow() // a panic may be under way
	}
	slot := c.tramps.free[free-1]
	c.tramps.free = c.tramps.free[:free-1]
	id := c.chains().push(root, s, c.tramps.all[slot], slot)
	if invariants.On {
		c.endFast()
	}
	return id, nil
}

// acquireSlow handles refusals and limits, a fiber without an extension record, one that nests,
// and an empty free list. A broken contract is reported before any limit, so that a mistake of
// the host does not depend on how many calls are in flight. The trampoline is taken last:
// nothing after it can fail.
func (c *Core) acquireSlow() (fiber.TrampolineID, error) {
	c.enter(op.Acquire)
	h, _ := c.executing(op.Acquire)
	if h.has(armed | latched) {
		c.refuse(op.Acquire)
	}
	if !c.reg.ext(h).runsCode() {
		c.refuseAs(op.Acquire, rule.I7, "a panic is unwinding and no code runs that could call: run its deferred calls, or end the context")
	}
	if err := c.acquireError(); err != nil {
		c.leave()
		return 0, err
	}
	slot, t, ok := c.tramps.take()
	if !ok {
		c.leave()
		return 0, fmt.Errorf("%w (%d)", ErrTooManyTrampolines, c.tramps.limit)
	}
	id := c.chains().push(c.cur, c.reg.keepExt(c.cur), t, slot)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Acquire, ID: id.ID()})
	}
	c.leave()
	return id, nil
}

// acquireError is why the current fiber may not begin another native call, or nil.
//
// MaxNesting bounds the pins, each of which has the frames of a pump on the native stack. It is
// checked here, although this call may never wait: when it waits it has already begun, and
// Block returns no error.
func (c *Core) acquireError() error {
	if err := c.submitError(); err != nil {
		return err
	}
	if c.cur.has(nests) && len(c.pins) >= c.cfg.MaxNesting {
		return fmt.Errorf("%w (%d)", ErrTooDeep, c.cfg.MaxNesting)
	}
	return nil
}
