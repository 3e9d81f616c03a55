package scheduler

import "slices"

// pausedBy is the list of the Group nearest to the root that stops a fiber, or nil.
func (t *groupTable) pausedBy(slot uint32) (by *heldList) {
	if t == nil {
		return nil
	}
	weighted := false
	for g := t.at(slot); g != nil; g = g.parent {
		weighted = weighted || g.weight > 0
		if g.stops() {
			by = &g.held
		}
	}
	if by == nil && !weighted && t.weighted > 0 && t.rest.spent {
		return &t.rest.held
	}
	return by
}

// newBatch begins to count for fits.
func (t *groupTable) newBatch() {
	if t != nil {
		t.batch++
	}
}

// fits tells whether the share of a fiber lasts for its slice, even if those of it that are in the batch already use up
// whole time slices: what they use is not known yet.
func (t *groupTable) fits(slot uint32) bool {
	if t == nil || t.weighted == 0 {
		return true
	}
	g := t.at(slot).share()
	if g == nil {
		return true // selected counts whole time slices
	}
	g.beginRound()
	if g.batch != t.batch {
		g.batch, g.inBatch = t.batch, 0
	}
	// The first one fits, or it would have been held: so a batch is not empty while a fiber is ready.
	fits := g.inBatch == 0 || g.left > g.inBatch*int64(t.core.cfg.Budget)
	g.inBatch++
	return fits
}

// selected counts the selection of a fiber for a slice, before its steps are known: as one step, or as
// a whole time slice outside the Groups with a weight, where steps may not be taken.
func (t *groupTable) selected(slot uint32) {
	if t == nil || t.weighted == 0 {
		return
	}
	if g := t.at(slot).share(); g != nil {
		g.use(1)
	} else {
		t.rest.use(int64(t.core.cfg.Budget))
	}
}

// unselected takes a selection back: the fiber returns to the ready queue with the rest of its batch. If
// that had used up the allowance, no fiber has been held for it yet.
func (t *groupTable) unselected(slot uint32) {
	if t == nil || t.weighted == 0 {
		return
	}
	g, steps := t.at(slot).share(), int64(1)
	if g == nil {
		g, steps = t.rest, int64(t.core.cfg.Budget)
	}
	if g.left += steps; g.left > 0 && g.spent {
		g.endSpent()
	}
}

// share is the Group nearest upward that has a weight, or nil.
func (g *Group) share() *Group {
	for g != nil && g.weight == 0 {
		g = g.parent
	}
	return g
}

// use takes steps from the allowance, and tells whether that has used it up.
func (g *Group) use(steps int64) (up bool) {
	t := g.core.groups
	g.beginRound()
	g.left -= steps
	if g.left > 0 || g.spent {
		return false
	}
	g.spent = true
	t.spent = append(t.spent, g)
	return true
}

// beginRound gives the Group its allowance, once in a round.
func (g *Group) beginRound() {
	if t := g.core.groups; g.round != t.number {
		g.round, g.left = t.number, min(g.left, 0)+g.allowance()
	}
}

// endSpent lets the Group take part in the round again.
func (g *Group) endSpent() {
	t := g.core.groups
	g.spent = false
	t.spent = slices.DeleteFunc(t.spent, func(other *Group) bool { return other == g })
}

// allowance is what a Group may use in a round: its weight in time slices.
func (g *Group) allowance() int64 { return g.weight * int64(g.core.cfg.Budget) }
