package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// What a fiber owns is listed in its side record. A lock that it has waited for is at hand
// already, as the source it has kept, and needs no record: a flag says that it owns that
// one too. Then the flag's lock is older than any in the list.

// Own registers something the current fiber now owns: the hook is told if the fiber
// dies before Disown. Locks are owned by the root, whichever member of its chain
// took them.
func (f Attachments) Own(hook fiber.OwnerHook) {
	c := f.core
	h := c.cur
	if h.word&(gateMask|kept|holds|hasSide) != running|kept || c.inside != OpNone ||
		hook == nil || !identical(&c.sources.at(h.ref).lock, &hook) {
		c.ownOtherwise(hook)
		return
	}
	h.word |= holds
}

// Disown takes back one Own of the current fiber, latest first.
func (f Attachments) Disown(hook fiber.OwnerHook) {
	c := f.core
	h := c.cur
	if h.word&(gateMask|holds|hasSide) != running|holds || c.inside != OpNone ||
		!identical(&c.sources.at(h.ref).lock, &hook) {
		c.disownOtherwise(hook)
		return
	}
	h.word &^= holds
}

func (c *Core) ownOtherwise(hook fiber.OwnerHook) {
	if s := c.estate(); s != nil && hook != nil {
		s.owned = append(s.owned, hook)
		return
	}
	c.enter(OpOwn)
	c.executing(OpOwn)
	if hook == nil {
		c.refuseAs(OpOwn, rule.ValidArgument, "nil is nothing to own: give Own what settles itself when its owner dies")
	}
	if h := c.cur; c.isKept(h, hook) {
		h.set(holds)
	} else {
		s := c.keepSide(h)
		s.owned = append(s.owned, hook)
	}
	c.leave()
}

func (c *Core) disownOtherwise(hook fiber.OwnerHook) {
	if s := c.estate(); s != nil {
		if last := len(s.owned) - 1; last >= 0 && s.owned[last] == hook {
			s.owned[last] = nil
			s.owned = s.owned[:last]
			return
		}
	}
	c.enter(OpOwn)
	c.executing(OpOwn)
	h := c.cur
	if !c.unlist(h, hook) && h.has(holds) && c.sources.at(*c.soleSlot(h)).lock == hook {
		h.clear(holds)
	}
	c.leave()
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

// isKept finds out whether the flag can stand for the hook, and notes that it can.
func (c *Core) isKept(h *header, hook fiber.OwnerHook) bool {
	if h.word&(kept|holds|hasSide) != kept {
		return false
	}
	e := c.sources.at(h.ref)
	if lock, ok := e.source.(fiber.OwnerHook); !ok || lock != hook {
		return false
	}
	e.lock = hook
	return true
}

// listHeld moves what the flag stands for into the list, in front, because another source
// is to be kept.
func (c *Core) listHeld(h *header) {
	h.clear(holds)
	lock := c.sources.at(*c.soleSlot(h)).lock
	s := c.keepSide(h)
	s.owned = slices.Insert(s.owned, 0, lock)
}

// unlist takes the latest of a hook out of the list, and tells whether it was there.
func (c *Core) unlist(h *header, hook fiber.OwnerHook) bool {
	s := c.sideOf(h)
	if s == nil {
		return false
	}
	before := len(s.owned)
	s.owned = withoutLatest(s.owned, hook)
	return len(s.owned) < before
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
