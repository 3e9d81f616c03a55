package scheduler

import (
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/quota"
)

// Pause lets the fibers of the Group, and of those below it, run no more until Resume, those
// spawned meanwhile included, as Attachments.Pause does for one. A second Pause has no effect. The cost
// does not depend on the fibers.
func (g *Group) Pause() { g.setPaused(true) }

// Resume ends a Pause. The fibers that it has held go to the back of the ready queue in the order in
// which they were held. What something else pauses, an own Pause or another Group, is held again. It
// takes time in proportion to the fibers.
func (g *Group) Resume() { g.setPaused(false) }

// Paused reports whether Pause stops the Group itself.
func (g *Group) Paused() bool { return g.paused }

func (g *Group) setPaused(paused bool) {
	g.core.enter(op.Hold)
	if g.paused != paused {
		g.paused = paused
		g.repace()
	}
	g.core.leave()
}

// SetRate limits how many steps (Take) the fibers of the Group, and of those below it, use in a second
// of the scheduler's time. A Group that has used steps is stopped until they are paid: n steps at
// rate r take n/r seconds, plus what the last slice has used. Time in which it used less is not
// saved up. 0 is no limit, and pays what was used. While only such a Group can continue, the
// scheduler waits.
func (g *Group) SetRate(stepsPerSecond int64) {
	g.mayPace("SetRate", stepsPerSecond)
	g.rate = stepsPerSecond
	if g.rate == 0 {
		g.paid, g.rest = 0, 0
		g.stopTimer()
	}
	g.repace()
	g.core.leave()
}

// SetWeight gives the Group a share of the steps of its scheduler, in proportion to its weight and
// those of the other Groups, while all of them have work. In each round a Group of weight w
// may use w time slices (Config.Budget) of steps, however many fibers it has; then it is stopped until
// the next round, which begins when no other fiber is ready. What a slice uses above that is taken
// off its next rounds. So after n rounds a busy Group has used n·w·Budget steps, or less than one slice
// more.
//
// The share of a fiber is that of the nearest Group upward with a weight. The shares of Groups in
// one another are beside each other. All fibers outside such Groups have one share of weight 1, in
// which each slice counts as a whole one. A slice of a Group counts as one step at least. 0 is no
// weight of its own.
func (g *Group) SetWeight(weight int64) {
	g.mayPace("SetWeight", weight)
	t := g.core.groups
	g.core.run().endBatch() // before its selections count otherwise
	if t.rest == nil {
		t.number = 1
		t.rest = &Group{core: g.core, account: quota.New("the others", quota.Limits{}), pace: pace{weight: 1}}
	}
	if g.weight = weight; weight == 0 {
		g.endShare()
	}
	g.repace()
	g.core.leave()
}

// mayPace begins a change, or refuses it.
func (g *Group) mayPace(call string, n int64) {
	if g.core.enter(op.Hold); n < 0 || n > maxPace {
		g.core.refuseAs(op.Hold, rule.ValidArgument, "%s(%d): pass a number from 0 to %d; 0 is no limit", call, n, int64(maxPace))
	}
}

// maxPace keeps what is computed from a rate or a weight within an int64.
const maxPace = 1 << 30
