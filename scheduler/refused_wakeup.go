package scheduler

import (
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/rule"
)

// decided notes, in the checked build, which Source or hook has decided on the wake-ups that are
// pending and have no decider yet. What the operations and cells of this module decide is left
// without one.
func (c *Core) decided(by any) {
	if !invariants.On {
		return
	}
	for len(c.deciders) < len(c.wakeups) {
		c.deciders = append(c.deciders, by)
	}
}

// refusedWakeUp handles a pending wake-up that no fiber waits for (I3). Two sources of one wait may
// both have decided on it in this operation; then the second has it back. Otherwise the wake-up is
// counted. A Source that decides twice for one ticket, or for a ticket that it has withdrawn, has lost
// count of its waiters, and the fiber that it forgot may wait without end. The checked build therefore
// ends here and names it.
func (c *Core) refusedWakeUp(i int, d fiber.Delivery) {
	if c.returnRefused(c.wakeups[i]) && (!invariants.On || c.decidedBefore(i)) {
		return
	}
	c.counts.RefusedWakes++
	if invariants.On && i < len(c.deciders) && c.deciders[i] != nil {
		c.broken(c.op, rule.HookReturns, "%s decided to wake %v: %v; a Source forgets a ticket when it decides on it, and when it withdraws it",
			typesOf(c.deciders[i]), c.wakeups[i].Ticket, d)
	}
}

// decidedBefore tells whether an earlier wake-up that is pending has the same ticket.
func (c *Core) decidedBefore(i int) bool {
	return slices.ContainsFunc(c.wakeups[:i], func(w fiber.Wakeup) bool { return w.Ticket == c.wakeups[i].Ticket })
}

// returnRefused gives back what a source has assigned to a wait that another source of it has ended
// before. Two hooks of one dead fiber may choose the same waiter, and so may two sources when a
// withdrawal lets it continue: a source cannot know what another one decides. The fiber learns only
// of the source that ended its wait, so the other forfeits (I12), and the wait drops it. False if the
// wake-up is not of this kind; then nothing has changed.
func (c *Core) returnRefused(w fiber.Wakeup) bool {
	h := c.find(w.Ticket.ID)
	if h == nil || h.seq != w.Ticket.Seq || !h.has(owed) {
		return false
	}
	s := c.reg.ext(h)
	if s == nil || s.endedBy == 0 || s.endedBy == w.From || !slices.Contains(s.sources, w.From) {
		return false
	}
	if c.takeBackFrom(w.From, w.Ticket) {
		c.reg.dropSource(s, w.From)
		c.countLost(w.Ticket)
	}
	return true
}

// typesOf is the type of a Source or hook, or the types of several.
func typesOf(decider any) string {
	sources, several := decider.([]fiber.Source)
	if !several {
		return fmt.Sprintf("%T", decider)
	}
	text := ""
	for i, s := range sources {
		if i > 0 {
			text += " or "
		}
		text += fmt.Sprintf("%T", s)
	}
	return text
}
