package scheduler

import (
	"math/bits"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// takeSteps counts steps that a fiber of the Group has used to the rates and to the share above it.
func (g *Group) takeSteps(n int64) {
	c := g.core
	c.enter(op.Hold)
	if share := g.share(); share != nil && share.use(n) {
		share.repace()
	}
	for at := g; at != nil; at = at.parent {
		if at.rate > 0 && n > 0 {
			at.delay(n)
			at.repace()
		}
	}
	c.leave()
}

// delay counts steps to the rate: the Group is stopped until they are paid.
func (g *Group) delay(steps int64) {
	if now := g.core.Now(); g.paid < now {
		g.paid, g.rest = now, 0
	}
	high, low := bits.Mul64(uint64(steps), 1e9)
	low, carry := bits.Add64(low, uint64(g.rest), 0)
	if high += carry; high >= uint64(g.rate) {
		g.paid, g.rest = fiber.Never, 0 // centuries
	} else {
		d, rest := bits.Div64(high, low, uint64(g.rate))
		g.rest = int64(rest)
		if g.paid += fiber.Time(d); g.paid < 0 {
			g.paid = fiber.Never
		}
	}
	g.resumeLater()
}

// resumeLater sets the timer of a Group that its rate stops, if it has fibers.
func (g *Group) resumeLater() {
	t := g.core.groups
	if g.wait == 0 && g.alive > 0 && g.paid > g.core.Now() {
		t.last++
		t.clocks++
		g.wait = t.last
		g.core.timers.add(wheel.Entry{Deadline: g.paid, Ticket: g.resumption(), Kind: resumesGroup})
	}
}

// resumption is the ticket of the Group's timer.
func (g *Group) resumption() fiber.Ticket { return fiber.Ticket{ID: fiber.ID(g.index), Seq: g.wait} }

// stopTimer withdraws the timer.
func (g *Group) stopTimer() {
	if g.wait != 0 {
		g.wait = 0
		g.core.groups.clocks--
		g.core.timers.stale()
	}
}

// repace counts a Group anew after a change of what stops it, and releases its fibers if nothing does.
func (g *Group) repace() {
	c, t, alive := g.core, g.core.groups, g.alive > 0
	c.run().endBatch() // before selections count otherwise
	count(&g.isPaced, alive && (g.rate > 0 || g.weight > 0), &t.paced)
	count(&g.isWeighted, alive && g.weight > 0, &t.weighted)
	if is := alive && (g.stops() || g.weight > 0); is != g.isCounted {
		g.isCounted = is
		by := -1
		if is {
			by = 1
		}
		c.run().countPaused(by)
	}
	if t.weighted == 0 && t.rest != nil && t.rest.spent {
		t.rest.endShare()
		t.rest.release()
	}
	if !g.stops() {
		g.release()
	}
}

// release puts the fibers that the Group holds back into the ready queue, in order.
func (g *Group) release() {
	for g.held.first != 0 {
		g.core.holding().unhold(g.held.first - 1)
	}
}

// resume is the end of the time for which a rate stops a Group.
func (t *groupTable) resume(entry fiber.Ticket) {
	g := t.all[entry.ID-1]
	g.wait = 0
	t.clocks--
	g.resumeLater() // more was used meanwhile
	g.repace()
}

// newRound begins the next round in which one of the Groups that have none left has an allowance, and
// tells whether there is such a Group. Rounds in which all are in debt are left out.
func (t *groupTable) newRound() bool {
	if t == nil || len(t.spent) == 0 {
		return false
	}
	skip := int64(0)
	for i, g := range t.spent {
		if debt := -g.left / g.allowance(); i == 0 || debt < skip {
			skip = debt
		}
	}
	t.number += uint64(skip) + 1
	was := t.spent
	t.spent = nil
	for _, g := range was {
		g.round, g.left = t.number, g.left+(skip+1)*g.allowance()
		if g.left <= 0 {
			t.spent = append(t.spent, g)
			continue
		}
		g.spent = false
		g.repace()
	}
	return true
}

// endShare forgets what a Group has used in its rounds.
func (g *Group) endShare() {
	g.left, g.round = 0, 0
	if g.spent {
		g.endSpent()
	}
}

// count counts whether something is so.
func count(was *bool, is bool, n *int) {
	if *was != is {
		*was = is
		if *n++; !is {
			*n -= 2
		}
	}
}
