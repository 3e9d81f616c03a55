package scheduler

import (
	"fmt"

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

// refusedWakeUp counts a pending wake-up that no fiber waits for (I3). A Source that decides twice
// for one ticket, or for a ticket that it has withdrawn, has lost count of its waiters, and the
// fiber that it forgot may wait without end. The checked build therefore ends here and names it.
func (c *Core) refusedWakeUp(i int, d fiber.Delivery) {
	c.counts.RefusedWakes++
	if invariants.On && i < len(c.deciders) && c.deciders[i] != nil {
		c.broken(c.op, rule.HookReturns, "%s decided to wake %v: %v; a Source forgets a ticket when it decides on it, and when it withdraws it",
			typesOf(c.deciders[i]), c.wakeups[i].Ticket, d)
	}
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
