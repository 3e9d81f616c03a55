package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Arm prepares the executing context's next wait and returns its ticket. The caller then
// publishes the ticket: it parks it in the sources, or hands it to a device. Until Block or
// Disarm a delivery is latched, not lost, and nothing else may be done with the fiber (I13).
// However the wait ends, the ticket is withdrawn from all sources. A Queue wait without a
// source is ended by Wake, by a delivery of its ticket, or never.
func (c *Core) Arm(r fiber.Reason, sources ...fiber.Source) fiber.Ticket {
	c.enter(op.Arm)
	h, id := c.executing(op.Arm)
	c.checkArm(h, r, sources)
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
	}
	c.leave()
	return t
}

// ArmForQueue is Arm(fiber.OnQueue()) with a fast path: a wait without a deadline and
// without a source.
func (c *Core) ArmForQueue() fiber.Ticket {
	h := c.cur
	if h.word&armMask != running || c.seq == c.lastSeq || c.op != op.None {
		return c.Arm(fiber.OnQueue())
	}
	return c.ticket(h, h.word|armed)
}

// ArmOn is Arm(fiber.OnQueue(), src) with a fast path, which is fastest on the source that
// the fiber waited on last.
func (c *Core) ArmOn(src fiber.Source) fiber.Ticket {
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
// with the begin of that wait.
func (c *Core) ticket(h *header, w word) fiber.Ticket {
	c.seq++
	h.seq = c.seq
	h.word = queueWait(w)
	return fiber.Ticket{ID: c.curID, Seq: c.seq}
}

func (c *Core) checkArm(h *header, r fiber.Reason, sources []fiber.Source) {
	switch {
	case h.has(armed | latched):
		c.refuse(op.Arm)
	case c.seq == c.lastSeq:
		c.refuseAs(op.Arm, rule.I5, "this scheduler has numbered 2^48 waits and repeats none: start a new one")
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

// Bind tells whether a waiting object belongs to this scheduler, and binds it if it belongs
// to none yet. Schedulers that were given the same number are told apart too.
func (f Attachments) Bind(a *fiber.Anchor) bool { return a.Bind(f.core.number, f.core.stamp) }

// mustKnow returns the anchor of a source, and refuses one that cannot be waited on here.
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

func nameOf(src fiber.Source) string {
	if d, ok := src.(fiber.Described); ok {
		return d.Describe()
	}
	return fmt.Sprintf("%T", src)
}
