package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Arm prepares the executing context's next wait and returns its ticket. The caller then
// publishes the ticket: it parks it in every source, or passes it to a device. Until Block or
// Disarm a delivery is latched, not lost (I9), and the fiber may not yield, end, panic, or begin
// or end a native call (I13). However the wait ends, the ticket is withdrawn from all sources
// (I10). A Queue wait without a source is ended by Wake, by a delivery of its ticket, or never.
//
// Arm has no errors: a second wait, a reason that is no wait and a source of another scheduler
// are contract errors and change nothing. The time is proportional to the number of sources. A
// wait on several sources, or with a deadline beside another reason, needs an extension record,
// which is allocated if none is free.
func (c *Core) Arm(r fiber.Reason, sources ...fiber.Source) fiber.Ticket {
	c.enter(op.Arm)
	h, id := c.executing(op.Arm)
	c.checkArm(h, r, sources)
	if invariants.On {
		c.mistakes().mustHaveClaimed(op.Arm, h, id)
	}
	t := fiber.Ticket{ID: id, Seq: c.seq + 1}
	early := r.Kind == fiber.IO && c.Ops().await(t, r.Token)
	if h.has(owed) {
		c.reg.forget(h)
	}
	c.reg.unkeep(h)
	c.seq++
	h.begin(t.Seq, r)
	c.mirror(h)
	if r.External {
		c.external++
	}
	if len(sources) > 0 {
		c.reg.attach(h, sources)
	}
	c.setTimer(h, t, r)
	if r.Kind == fiber.IO {
		c.reg.setToken(h, r.Token)
	}
	if early {
		c.end(h, id, fiber.Result{Code: fiber.OK}, tokenDone)
	}
	if c.observer != nil {
		c.observer.reportArm(t, r, early)
		c.Choices().touchedSources(id, sources)
	}
	c.leave()
	return t
}

// ArmForQueue is Arm(fiber.OnQueue()) with a fast path: a wait without a deadline and
// without a source. The fast path allocates nothing.
func (c *Core) ArmForQueue() fiber.Ticket {
	if invariants.On {
		c.checkOwner(op.Arm)
	}
	h := c.cur
	if h.word&armMask != running || c.seq == c.lastSeq || c.op != op.None {
		return c.Arm(fiber.OnQueue())
	}
	return c.ticket(h, h.word|armed)
}

// ArmOn is Arm(fiber.OnQueue(), src) with a fast path for a source that is in the source table
// already, because a fiber or a set alarm refers to it. It is fastest on the source that the
// fiber waited on last: the reference that the fiber has kept becomes that of the new wait, and
// nothing is counted. The fast path allocates nothing.
func (c *Core) ArmOn(src fiber.Source) fiber.Ticket {
	if invariants.On {
		c.checkOwner(op.Arm)
	}
	if src == nil {
		return c.Arm(fiber.OnQueue(), src) // refuses by name
	}
	h, a := c.cur, src.Anchored()
	if h.word&armOnMask != running || c.seq == c.lastSeq || c.op != op.None || !c.reg.sources.has(a) {
		return c.Arm(fiber.OnQueue(), src)
	}
	if slot := a.Slot(); !h.has(kept) || *c.reg.soleSlot(h) != slot {
		c.reg.unkeep(h)
		c.reg.sources.at(slot).refs++
		*c.reg.soleSlot(h) = slot
	}
	return c.ticket(h, h.word&^kept|armed)
}

// ticket numbers a Queue wait without a deadline of the current root, whose word becomes w
// with the start of that wait. The caller has compared seq with lastSeq: one more wait would
// carry into the scheduler's number, which is in the top 16 bits, and repeat a ticket (I5).
func (c *Core) ticket(h *header, w word) fiber.Ticket {
	c.seq++
	h.seq = c.seq
	h.word = queueWait(w)
	return fiber.Ticket{ID: c.curID, Seq: c.seq}
}

// checkArm refuses a wait that cannot begin. Arm calls it before it changes anything; the only
// later refusal, that of a token, comes before the first change too. A refusal leaves one trace:
// the sources in front of the refused one are bound to this scheduler.
func (c *Core) checkArm(h *header, r fiber.Reason, sources []fiber.Source) {
	switch {
	case h.has(armed | latched):
		c.refuse(op.Arm)
	case c.seq == c.lastSeq:
		c.refuseAs(op.Arm, rule.I5, "this scheduler has numbered 2^48 waits and repeats none: ask WaitRoom before the wait, and continue in a new scheduler")
	case r.Kind == fiber.IO && h.has(tramp):
		c.refuseAs(op.Arm, rule.I8, "a trampoline cannot wait for I/O itself: wait on a completion cell; the token belongs to the root fiber")
	case r.Kind == fiber.NoWait || r.Kind > fiber.Timer:
		c.refuseAs(op.Arm, rule.ValidArgument, "reason %v is no wait: build it with OnQueue, OnIO or Until", r)
	case r.Kind != fiber.Queue && len(sources) > 0:
		c.refuseAs(op.Arm, rule.ValidArgument, "only a Queue wait has sources; this is %v", r)
	case r.Kind == fiber.Timer && r.Deadline == fiber.Never:
		c.refuseAs(op.Arm, rule.ValidArgument, "a Timer wait needs a deadline; to wait without one use OnQueue without a source")
	}
	if r.Deadline != fiber.Never {
		c.mustHaveTimerRoom(op.Arm)
	}
	for _, src := range sources {
		c.mustKnow(op.Arm, src)
	}
}

// Bind reports whether a waiting object belongs to this scheduler, and binds it to this one if
// it belongs to none yet; it never changes the scheduler of an object (rule SAME-SCHEDULER). The
// anchor holds the scheduler's number and a stamp, so two schedulers with the same number do not
// share an object either. Only the owner may call Bind.
func (f Attachments) Bind(a *fiber.Anchor) bool {
	if a == nil {
		f.core.refuseAs(op.Arm, rule.ValidArgument, "Bind has no anchor: pass that of a source")
	}
	return a.Bind(f.core.number, f.core.stamp)
}

// mustKnow returns the anchor of a source, and refuses one that cannot be waited on here. It
// asks the source table too: two schedulers with one number can also have one stamp, which has
// 15 bits only, and then the slot in the anchor belongs to the other one's table.
func (c *Core) mustKnow(call Op, src fiber.Source) *fiber.Anchor {
	var a *fiber.Anchor
	if src != nil {
		a = src.Anchored()
	}
	switch {
	case a == nil:
		c.refuseAs(call, rule.ValidArgument, "source %s has no anchor: to wait without an end name no source", nameOf(src))
	case !c.Attachments().Bind(a) || !c.reg.sources.knows(a):
		c.refuseAs(call, rule.SameScheduler, "%s belongs to another scheduler: use a port between schedulers, and give each its own Config.Number", nameOf(src))
	}
	return a
}

// nameOf is a source for messages. It calls code of the source (Describe), so it is only for
// reports and refusals.
func nameOf(src fiber.Source) string {
	if d, ok := src.(fiber.Described); ok {
		return d.Describe()
	}
	return fmt.Sprintf("%T", src)
}
