package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// Own registers something the current fiber now owns: the hook is told if the fiber
// dies before Disown. Locks are owned by the root, whichever member of its chain
// took them.
func (c *Core) Own(hook fiber.OwnerHook) {
	if s := c.estate(); s != nil {
		s.owned = append(s.owned, hook)
		return
	}
	c.enter(OpOwn)
	c.executing(OpOwn)
	s := c.keepSide(c.cur)
	s.owned = append(s.owned, hook)
	c.leave()
}

// Disown takes back one Own of the current fiber, latest first.
func (c *Core) Disown(hook fiber.OwnerHook) {
	if s := c.estate(); s != nil {
		if last := len(s.owned) - 1; last >= 0 && s.owned[last] == hook {
			s.owned[last] = nil
			s.owned = s.owned[:last]
			return
		}
	}
	c.enter(OpOwn)
	c.executing(OpOwn)
	if s := c.sideOf(c.cur); s != nil {
		s.owned = withoutLatest(s.owned, hook)
	}
	c.leave()
}

// withoutLatest takes one out of what was added in order, the latest if it is there more
// than once.
func withoutLatest[T comparable](all []T, one T) []T {
	for i, x := range slices.Backward(all) {
		if x == one {
			return slices.Delete(all, i, i+1)
		}
	}
	return all
}

// estate is the lasting record of the current fiber, nil if it has none yet or nobody
// may own anything now.
func (c *Core) estate() *side {
	h := c.cur
	if h.word&(stateMask|hasSide) != running|hasSide || c.inside != OpNone || !c.sides.all[h.ref-1].keep {
		return nil
	}
	return c.sides.all[h.ref-1]
}
