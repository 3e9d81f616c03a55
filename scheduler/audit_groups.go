package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/quota"
)

// checkGroups: the Account of each Group has as many fibers, timers and operations as there are, and
// the Group has an index while it has fibers (I12). A time limit that is in the wheel counts as one
// live deadline (I10). An index that is free, and a slot that is not alive, have nothing.
func (v *verifier) checkGroups() {
	t := v.core.groups
	if t == nil {
		return
	}
	used := v.countUse()
	have, clocks := 0, 0
	for i, g := range t.all {
		if g == nil {
			continue
		}
		have++
		if g.setting != 0 {
			clocks++
			v.timed++
		}
		if g.wait != 0 {
			clocks++
			v.timed++
		}
		if int(g.index) != i+1 || g.alive == 0 || int64(g.alive) != used[g].Fibers {
			v.broken(rule.I12, "Group %q at index %d has %d fibers; it counts %d, at index %d", g.account.Name(), i+1, used[g].Fibers, g.alive, g.index)
		}
	}
	for g, u := range used {
		if u.Fibers > 0 {
			have--
		}
		if s := g.account.Spent(); s.Fibers != u.Fibers || s.Timers != u.Timers || s.Operations != u.Operations {
			v.broken(rule.I12, "Group %q has %d fibers, %d timers, %d operations; it counts %d, %d, %d",
				g.account.Name(), u.Fibers, u.Timers, u.Operations, s.Fibers, s.Timers, s.Operations)
		}
	}
	if have != 0 || clocks != t.clocks {
		v.broken(rule.I12, "%d more Groups have an index than fibers; %d time limits and resumptions are set, %d counted", have, clocks, t.clocks)
	}
}

// countUse counts what there is of each Group and those below it.
func (v *verifier) countUse() map[*Group]quota.Spent {
	c := v.core
	used := map[*Group]quota.Spent{}
	add := func(g *Group, u quota.Spent) {
		for ; g != nil; g = g.parent {
			s := used[g]
			used[g] = quota.Spent{Fibers: s.Fibers + u.Fibers, Timers: s.Timers + u.Timers, Operations: s.Operations + u.Operations}
		}
	}
	for slot, index := range c.groups.slots {
		g := c.groups.at(uint32(slot))
		if index == 0 {
			continue
		}
		h := c.slots.at(uint32(slot))
		if g == nil || h.state() == fiber.Dead {
			v.broken(rule.I12, "f%d is in Group %d, which is free, or is not alive", slot, index)
		}
		add(g, quota.Spent{Fibers: 1, Timers: v.deadlines(h)})
	}
	for _, t := range c.tramps.all {
		if t.state() != fiber.Dead {
			add(c.groups.at(t.root), quota.Spent{Timers: v.deadlines(&t.header)})
		}
	}
	for _, g := range c.groups.alarms {
		add(g, quota.Spent{Timers: 1})
	}
	for _, g := range c.groups.tokens {
		add(g, quota.Spent{Operations: 1})
	}
	return used
}

// deadlines is 1 if the wait of a fiber or native call has a deadline in the wheel, else 0.
func (v *verifier) deadlines(h *header) int64 {
	if h.has(timed) {
		return 1
	}
	return 0
}
