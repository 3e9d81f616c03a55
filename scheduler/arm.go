package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
)

// Arm prepares the executing context's next wait and returns its ticket, which the
// caller then publishes: parks it in the sources, hands it to a device. From here to
// Block or Disarm a delivery is latched, not lost (DESIGN §2.1), and nothing else may
// be done with the fiber (I13). Any end of the wait withdraws the ticket from all the
// sources. A Queue wait without a source can be ended by Wake, by whoever holds the
// ticket, or never.
func (c *Core) Arm(r fiber.Reason, sources ...fiber.Source) fiber.Ticket {
	c.enter(OpArm)
	h, id := c.executing(OpArm)
	c.checkArm(h, r, sources)
	t := fiber.Ticket{ID: id, Seq: c.seq + 1}
	early := r.Kind == fiber.IO && c.await(t, r.Token)
	if h.has(owed) {
		c.forget(h)
	}
	c.unkeep(h)
	c.seq++
	h.begin(t.Seq, r)
	c.mirror(h)
	if r.External {
		c.foreign++
	}
	if len(sources) > 0 {
		c.attach(h, sources)
	}
	c.setTimer(h, t, r)
	if r.Kind == fiber.IO {
		c.setToken(h, r.Token)
	}
	if early {
		c.end(h, id, fiber.Result{Code: fiber.OK}, tokenDone)
	}
	if c.watch != nil {
		c.reportArm(t, r, early)
	}
	c.leave()
	return t
}

// ArmForQueue is Arm(fiber.OnQueue()) in a form that is cheap: a wait without a
// deadline and without a source.
func (c *Core) ArmForQueue() fiber.Ticket {
	h := c.cur
	if h.word&(gateMask|owed|kept|chained) != running || c.seq == c.lastSeq || c.inside != OpNone {
		return c.Arm(fiber.OnQueue())
	}
	return c.plainTicket(h, h.word|armed)
}

func (c *Core) checkArm(h *header, r fiber.Reason, sources []fiber.Source) {
	switch {
	case h.has(armed | latched):
		c.refuse(OpArm)
	case c.seq == c.lastSeq:
		c.refuseAs(OpArm, "I5", "this scheduler has numbered 2^48 waits and repeats none: start a new one")
	case r.Kind == fiber.IO && h.has(tramp):
		c.refuseAs(OpArm, "I8", "a trampoline cannot wait for I/O itself: wait on a completion cell; the token belongs to the root fiber")
	case r.Kind == fiber.NoWait || r.Kind > fiber.Timer:
		c.refuseAs(OpArm, "contract", "reason %v is no wait: build it with OnQueue, OnIO or Until", r)
	case r.Kind != fiber.Queue && len(sources) > 0:
		c.refuseAs(OpArm, "contract", "only a Queue wait has sources; this is %v", r)
	case r.Kind == fiber.Timer && r.Deadline == fiber.Never:
		c.refuseAs(OpArm, "contract", "a Timer wait needs a deadline; to wait for ever use OnQueue without a source")
	}
	if r.Deadline != fiber.Never {
		c.mustHaveTimerRoom(OpArm)
	}
	for _, src := range sources {
		c.mustKnow(OpArm, src)
	}
}

// Admits tells whether an object is this scheduler's to use, and binds it if it is nobody's
// yet. It tells apart schedulers that were given the same number, too.
func (c *Core) Admits(a *fiber.Anchor) bool { return a.Bind(c.number, c.stamp) }

// mustKnow is the anchor of an object that is to tell this scheduler something.
func (c *Core) mustKnow(op Op, src fiber.Source) *fiber.Anchor {
	var a *fiber.Anchor
	if src != nil {
		a = src.Anchored()
	}
	switch {
	case a == nil:
		c.refuseAs(op, "contract", "%s is nobody to wait on: to wait for ever name no source", nameOf(src))
	case !c.Admits(a) || !c.sources.knows(a):
		c.refuseAs(op, "contract", "%s belongs to another scheduler: use a port between schedulers, and give each its own Config.Number", nameOf(src))
	}
	return a
}

// mirror shows on the root that its executing context has a wait armed, so that the
// hot transitions, which look at the root only, refuse (I13).
func (c *Core) mirror(h *header) {
	if h != c.cur && !c.cur.has(nests) { // one that nests is barred instead
		c.cur.word = c.cur.word&^(armed|latched) | h.word&(armed|latched)
	}
}

// Disarm takes the armed ticket back. If it was delivered already, it returns the
// result, which the caller must use: Claim no more, the value is at its source.
func (c *Core) Disarm() (fiber.Result, bool) {
	c.enter(OpDisarm)
	h, id := c.executing(OpDisarm)
	switch {
	case h.has(latched):
		c.unlatch(h)
		if h.has(owed) {
			c.forget(h) // the caller has the result
		}
		if c.watch != nil {
			c.report(Transition{Op: OpDisarm, ID: id})
		}
		c.leave()
		return fiber.Result{Code: h.code(), Value: h.value}, true
	case h.has(armed):
		c.disarm(h, id, tokenKept)
		if c.watch != nil {
			c.report(Transition{Op: OpDisarm, ID: id})
		}
		c.deliverPending()
		c.leave()
		return fiber.Result{}, false
	}
	c.refuse(OpDisarm)
	return fiber.Result{}, false
}

func (c *Core) unlatch(h *header) {
	h.clear(latched)
	c.mirror(h)
}

// disarm ends an armed wait that nobody has delivered to. What the sources decide then is
// the caller's to deliver.
func (c *Core) disarm(h *header, id fiber.ID, fate tokenFate) {
	c.endWait(h, id, fate)
	h.clear(armed)
	c.mirror(h)
	c.forget(h)
}

// BlockForQueue arms a plain Queue wait and blocks in it: nobody but Wake or the
// holder of the ticket ends it. The ticket may be published afterwards: nothing is
// delivered in between.
func (c *Core) BlockForQueue() (fiber.Ticket, Blocking) {
	h := c.cur
	if h.word&(gateMask|owed|kept|chained|doomed|fatal|alarmed) != running ||
		c.seq == c.lastSeq || c.inside != OpNone {
		t := c.Arm(fiber.OnQueue())
		return t, c.Block()
	}
	c.seq++
	h.seq = c.seq
	c.passKnown(h, plainWait(h.word), parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
	return fiber.Ticket{ID: c.curID, Seq: c.seq}, Parked
}

// plainTicket numbers a Queue wait without a deadline of the current root; w is its
// word otherwise.
func (c *Core) plainTicket(h *header, w word) fiber.Ticket {
	c.seq++
	h.seq = c.seq
	h.word = plainWait(w)
	return fiber.Ticket{ID: c.curID, Seq: c.seq}
}

// plainWait is a word at the begin of a Queue wait without a deadline.
func plainWait(w word) word {
	return w&^(kindMask|codeMask|external) | word(fiber.Queue)<<kindShift
}

// BlockForIO blocks the current regular fiber until its operation completes. On a
// trampoline it is a contract error (I8).
func (c *Core) BlockForIO(token fiber.Token) Blocking {
	const rest = gateMask | owed | kept | chained | doomed | fatal | alarmed
	h, t := c.cur, fiber.Ticket{ID: c.curID, Seq: c.seq + 1}
	if h.word&rest != running || c.seq == c.lastSeq || c.inside != OpNone || !c.io.AwaitInFlight(token, t) {
		c.Arm(fiber.OnIO(token))
		return c.Block()
	}
	c.seq++
	h.seq = c.seq
	c.setToken(h, token)
	c.passKnown(h, h.word&^(kindMask|codeMask|external)|word(fiber.IO)<<kindShift, parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
	return Parked
}

func nameOf(src fiber.Source) string {
	if d, ok := src.(fiber.Described); ok {
		return d.Describe()
	}
	return fmt.Sprintf("%T", src)
}
