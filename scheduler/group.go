package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/quota"
)

// NewGroup makes a Group without fibers below the parent, or at the top of a tree if that is nil. The
// name is for messages. Fibers come into it by Options.Group, and then by what they spawn.
//
// While there are Groups, the scheduler spawns and ends every fiber, and submits every operation, on
// its slow path.
func (f Attachments) NewGroup(parent *Group, name string, l quota.Limits) *Group {
	if parent == nil {
		return f.NewGroupOf(quota.New(name, l))
	}
	if parent.core != f.core {
		f.core.refuseAs(op.Note, rule.SameScheduler, "the parent of the Group %q belongs to another scheduler: give a Group of this one, or nil", name)
	}
	g := f.NewGroupOf(parent.account.Child(name, l))
	g.parent = parent
	return g
}

// NewGroupOf makes a Group at the top of a tree whose Account is a new one of the caller's, for example
// below an Account that several schedulers share (quota.Account.Share). If a quota above the Account
// is passed, the Group whose fiber has done that ends; to end the others is the caller's.
func (f Attachments) NewGroupOf(a *quota.Account) *Group {
	c := f.core
	c.enter(op.Note)
	if a == nil || a.Spent() != (quota.Spent{}) {
		c.refuseAs(op.Note, rule.ValidArgument, "NewGroupOf needs an Account that nothing was taken from: make one for the Group")
	}
	g := &Group{core: c, account: a}
	if c.groups == nil {
		c.groups = &groupTable{core: c}
		c.io.Released = c.groups.released
	}
	c.leave()
	return g
}

// Group is that of a living fiber or native call, or nil.
func (f Inspect) Group(id fiber.ID) *Group {
	if f.core.find(id) == nil {
		return nil
	}
	return f.core.groups.of(id)
}

// Account has what is used and left of the quotas. Fibers, timers, operations and time are the
// scheduler's to take and give, also here; time is counted up to the last call of Spent.
func (g *Group) Account() *quota.Account { return g.account }

// Spent is what the Group and all below it have used.
func (g *Group) Spent() quota.Spent {
	if invariants.On {
		g.core.checkOwner(op.Poll)
	}
	if g.alive > 0 {
		_ = g.countTime() // its entry of the wheel ends it
	}
	return g.account.Spent()
}

// Take takes steps, memory or output that a fiber of the Group has used. If that would pass a quota it
// takes nothing, ends the Group whose quota it is, and returns the *quota.Error: the fiber that
// called has a kill pending then, and the host lets it unwind. nil limits nothing. It costs a few
// nanoseconds for each Group above, until a quota is passed; then as Kill. Steps also count to the rates
// and the share of the Group (SetRate, SetWeight).
func (g *Group) Take(r quota.Resource, n int64) error {
	if g == nil {
		return nil
	}
	if invariants.On {
		g.core.checkOwner(op.Poll)
	}
	if n < 0 || r != quota.Steps && r != quota.Memory && r != quota.Output {
		g.core.refuseAs(op.Note, rule.ValidArgument, "Take(%v, %d): take a positive number of steps, memory or output; the scheduler takes the others", r, n)
	}
	err := g.account.Take(r, n)
	if err != nil {
		g.endIfPassed(err)
	} else if r == quota.Steps && g.core.groups.paced > 0 {
		g.takeSteps(n)
	}
	return err
}

// endIfPassed ends the Group whose quota was passed, if that is what the error says. No operation is
// in progress.
func (g *Group) endIfPassed(err error) {
	if _, passed := err.(*quota.Error); !passed {
		return
	}
	var over *Group
	for at := g; at != nil; at = at.parent {
		if at.account.Passed() == err {
			over = at
		}
	}
	if over != nil && over.ended == nil {
		over.Kill(err)
	}
}

// Kill kills the fibers of the Group and of those below it, in slot order, and lets none begin in
// them any more: Spawn returns the cause. The first cause stays; nil means ErrKilled. What each
// death decides is carried out before the next kill. The time is proportional to the slots that were
// ever in use.
func (g *Group) Kill(cause error) {
	g.core.enter(op.Kill)
	g.kill(cause)
	g.core.leave()
}

// kill is Kill within an operation.
func (g *Group) kill(cause error) {
	if g.ended != nil {
		return
	}
	if g.ended = cause; cause == nil {
		g.ended = ErrKilled
	}
	for id := range g.Fibers() {
		_ = g.core.kill(id.ID(), cause) // alive: cannot be ErrGone
		g.core.deliverPending()
	}
}

// expire ends the Group whose time limit is due, within an operation.
func (t *groupTable) expire(entry fiber.Ticket) {
	g := t.all[entry.ID-1]
	g.setting = 0
	t.clocks--
	g.kill(g.countTime())
}
