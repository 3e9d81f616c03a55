package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// tokenFate is what becomes of the operation when the wait for it ends. Each end of a wait names
// one, so that a token is neither cancelled twice nor left awaited by no fiber (I12). It matters
// to IO waits only.
type tokenFate uint8

const (
	tokenAbandoned tokenFate = iota // nothing asks for it any more: cancel it
	tokenKept                       // the wait was taken back; it can be awaited again
	tokenDone                       // it completed, and that ended the wait
)

// end is the one end of every wait except Disarm's: wake-up, deadline, cancellation and kill. The
// order matters: the registrations go first, while the header still names them; then the result
// is recorded; then the fiber is latched or woken. A wait that no source has assigned anything to
// drops its references at once; one that is owed keeps them until its claim, so that the value
// can be forfeited. The caller delivers what the withdrawals decide.
func (c *Core) end(h *header, id fiber.ID, r fiber.Result, fate tokenFate) fiber.Delivery {
	c.endWait(h, id, fate)
	if r.Code-fiber.OK > fiber.Failed-fiber.OK { // no delivery ends it
		c.forfeitUndelivered(h, fiber.Ticket{ID: id, Seq: h.seq})
	}
	h.conclude(r)
	if !h.has(owed) {
		c.reg.forget(h)
	}
	if h.word&(stateMask|armed) == running|armed {
		h.word = h.word&^armed | latched
		c.mirror(h)
		return fiber.Latched
	}
	c.wake(h, id) // a fiber that is armed and Blocked is refused by the gate
	return fiber.Woken
}

// endWait withdraws everything the wait registered: sources, deadline, token, and its part in
// the count of external waits (I10). It changes no state. All sources of the wait withdraw, the
// one that ended it as well: it ignores a ticket that it does not hold.
func (c *Core) endWait(h *header, id fiber.ID, fate tokenFate) {
	t := fiber.Ticket{ID: id, Seq: h.seq}
	if h.has(external) {
		h.clear(external)
		c.external--
	}
	c.clearTimer(h, id)
	switch h.kind() {
	case fiber.Queue:
		c.decided(nil)
		c.wakeups = c.reg.withdraw(h, t, c.wakeups)
		if invariants.On {
			c.decided(c.reg.sourcesOf(h))
		}
	case fiber.IO:
		c.Ops().endAwait(h, fate)
	}
}

// wake makes a blocked fiber run again. A trampoline is never queued: its root is (I4). It is the
// slow form of what Deliver, Apply and Complete do in place.
func (c *Core) wake(h *header, id fiber.ID) {
	if h.has(tramp) {
		c.chains().unpark(id)
		return
	}
	passSlow(c, h, woken, id.Index())
	c.run().join(h, id)
}

// forfeit reports to the sources of the last wait that its fiber died before it collected what
// they assigned to it (I12).
func (c *Core) forfeit(h *header, t fiber.Ticket) {
	c.takeBack(h, t)
	c.countLost(t)
}

// forfeitUndelivered is forfeit for a wait that ends without a delivery: an object may have
// assigned something to it whose wake-up has not been applied yet. That wake-up will be stale, and
// the fiber learns only of its cancellation, for example, so it would not collect.
func (c *Core) forfeitUndelivered(h *header, t fiber.Ticket) {
	if h.kind() == fiber.Queue && c.takeBack(h, t) {
		c.countLost(t)
	}
}

// takeBack has the sources of a wait take back what they assigned to it, and tells whether one
// had. The fiber does not know which of several did, so all are asked; the others ignore the
// ticket. Whatever they decide is pending.
func (c *Core) takeBack(h *header, t fiber.Ticket) (any bool) {
	var slots [4]uint32
	for _, slot := range c.reg.slotsOf(h, slots[:0]) {
		any = c.takeBackFrom(slot, t) || any
	}
	return any
}

// takeBackFrom is takeBack for one source.
func (c *Core) takeBackFrom(slot uint32, t fiber.Ticket) (had bool) {
	a, ok := c.reg.sources.at(slot).source.(fiber.Assigner)
	if !ok {
		return false
	}
	c.decided(nil)
	n := len(c.wakeups)
	c.wakeups, had = a.Forfeit(t, c.wakeups)
	nameSource(c.wakeups[n:], slot)
	c.decided(a)
	return had
}

func (c *Core) countLost(t fiber.Ticket) {
	c.counts.Lost++
	if c.cfg.Lost != nil {
		c.cfg.Lost(t)
	}
}

// completeCell completes a join cell. The cell belongs to its fiber alone: Spawn refuses one that
// has an owner or a result. So a cell that is complete already means a second end (I12).
func (c *Core) completeCell(cell *ioqueue.Cell, result any, err error) {
	var done error
	if c.wakeups, done = cell.Complete(result, err, c.wakeups); done != nil {
		c.broken(op.Exit, rule.I12, "the join cell was completed before its fiber ended: %v", done)
	}
}

// endAwait ends the registration of a wait for a token. If the token is done, the queue has ended
// the registration already, when it recorded the completion.
func (f Ops) endAwait(h *header, fate tokenFate) {
	c := f.core
	switch tok := c.reg.tokenOf(h); fate {
	case tokenAbandoned:
		f.must(c.io.Abandon(tok))
	case tokenKept:
		f.must(c.io.Unawait(tok))
	}
	c.reg.setToken(h, 0)
}

// must is for steps that cannot fail while the scheduler and the queue agree on which tokens are
// awaited. An error is therefore a bug of this library, not of a device.
func (f Ops) must(err error) {
	if err != nil {
		f.core.broken(f.core.op, rule.I12, "the token of a wait that ends: %v", err)
	}
}

// clearTimer ends the deadline of a wait. The entry stays in the wheel, stale: taking it out would
// need a search. isTimerLive tells it from a live one, and the wheel is compacted when most
// entries are stale, so this is amortized O(1). The deadline of a plain Timer wait is in the
// header; it is cleared, because after the wait ref is read as the slot of a source.
func (c *Core) clearTimer(h *header, id fiber.ID) {
	if h.has(timed) {
		h.clear(timed)
		c.timers.stale()
		c.groups.giveTimer(id)
	}
	if s := c.reg.ext(h); s != nil {
		s.deadline = fiber.Never
	} else if h.kind() == fiber.Timer {
		h.setDeadline(0)
	}
}
