package scheduler

import (
	"context"
	"iter"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
)

// Group is a tree of fibers that are counted, limited and killed together. A fiber belongs to the
// Group of the fiber that spawned it, or to that of Options.Group, until it ends. What its fibers
// use counts to the Group and to all above it, against their quotas: fibers that have not ended;
// timers, which are the deadlines of waits and the alarms that are set; operations until they are
// collected; the time in which the Group has fibers; and what the host takes (Take).
//
// When a quota is passed, the Group whose quota it is ends: all its fibers and those of the Groups
// below it are killed, with the *quota.Error as the cause, and it gets no fibers any more. Other
// Groups continue.
//
// The owner of the scheduler uses a Group. One that has no fibers takes no memory of the scheduler.
type Group struct {
	core    *Core
	parent  *Group
	account *quota.Account
	ended   error // what it was killed with; nil before
	alive   int   // fibers of it and of the Groups below that have not ended
	index   uint32
	began   fiber.Time      // when alive last left 0, or Time was last counted
	setting uint64          // of its time limit in the wheel; 0 while it is not there
	coming  int             // fibers of Expect that have not come, here and below
	emptied []chan struct{} // closed when alive and coming are 0
	program *Program        // nil if it is none of its own
	pace
}

// Program makes a Group a program of its own among others that one scheduler runs: its fibers are woken
// by each other and from outside, not by those of other Groups.
type Program struct {
	// Context is the parent of the contexts of its fibers (Unwind.Context); nil is that of the run.
	// Its end ends no fiber: the host kills the Group.
	Context context.Context
	// Unobserved takes the place of Config.Unobserved for its fibers; nil drops their failures. What
	// may still be read is kept until Group.ReportUnobserved.
	Unobserved func(*UnobservedError)
	// Owner is the host's own: what the program belongs to.
	Owner any

	failures unobserved
}

// pace is how fast the fibers of a Group may run: not at all, by a rate, or by a share of the rounds.
// What stops a Group holds its fibers, and those of the Groups below it, in one list.
type pace struct {
	held   heldList
	paused bool // by the host

	rate int64      // steps a second; 0 is any
	paid fiber.Time // until when the steps of the past use up the rate
	rest int64      // of the division by which paid was computed
	wait uint64     // of its resumption, in the wheel; 0 while the rate does not stop it

	weight int64
	left   int64  // of the allowance of its round; negative is a debt
	round  uint64 // to which left belongs
	spent  bool   // nothing is left
	// inBatch counts the fibers of a batch (groupTable.fits).
	inBatch int64
	batch   uint64 // to which inBatch belongs

	// What is counted while the Group has fibers: in the groupTable that it has a rate or a weight, and
	// that it has a weight; in pauses.active that selection must look at it.
	isPaced, isWeighted, isCounted bool
}

// stops reports whether the Group holds its fibers.
func (p *pace) stops() bool { return p.paused || p.wait != 0 || p.spent }

// shareRounds are the rounds of the Groups with a weight. In a round each may use its allowance, and what has
// none left is stopped until the next one, which begins when no other fiber is ready. So no time
// is lost, and a Group that is idle takes nothing from the others.
type shareRounds struct {
	paced, weighted int // Groups with fibers that have a rate or a weight; a weight
	number          uint64
	batch           uint64   // the number of the batch
	spent           []*Group // in the order in which they have used up their allowances
	rest            *Group   // stands for all fibers that are in no Group with a weight; nil until one has one
}

// groupTable says which Group each fiber, alarm and token belongs to. It exists as soon as there is a
// Group; without one, a fiber costs nothing for it.
//
// Invariants between operations (I12): a slot that is not alive has no Group; alive of each
// Group is the number of its fibers and of those below it; a Group has an index, and is in all at
// index-1, while alive is not 0, and only then.
type groupTable struct {
	core *Core
	// By slot: the index of the Group, from 1; 0 is none. It is as long as the highest slot that has
	// had a Group needs it to be.
	slots  []uint32
	all    []*Group // by index-1; nil if the index is free
	free   []uint32
	alarms []*Group // by source slot: what the alarm in it counts to while it is set
	tokens []*Group // by token slot
	clocks int      // time limits and resumptions of Groups in the wheel
	last   uint64   // their settings are numbered and never repeat
	shareRounds
}

// at is the Group of the fiber in the slot, or nil.
func (t *groupTable) at(slot uint32) *Group {
	if slot < uint32(len(t.slots)) && t.slots[slot] != 0 {
		return t.all[t.slots[slot]-1]
	}
	return nil
}

// of is the Group of a living fiber or native call, or nil; also without Groups, and for no fiber.
func (t *groupTable) of(id fiber.ID) *Group {
	switch {
	case t == nil || id == 0:
		return nil
	case id.IsTrampoline():
		return t.at(t.core.tramps.all[id.Index()].root)
	}
	return t.at(id.Index())
}

// current is the Group of the current fiber, or nil.
func (t *groupTable) current() *Group {
	if t == nil {
		return nil
	}
	return t.of(t.core.Current())
}

// every yields the Groups that have fibers, and the one that stands for those without a weight.
func (t *groupTable) every() iter.Seq[*Group] {
	return func(yield func(*Group) bool) {
		if t == nil || t.rest != nil && !yield(t.rest) {
			return
		}
		for _, g := range t.all {
			if g != nil && !yield(g) {
				return
			}
		}
	}
}

// Fibers yields the fibers of the Group and of those below it that have not ended, in slot order. It
// looks at the slots that were ever in use.
func (g *Group) Fibers() iter.Seq[fiber.RegularID] {
	c := g.core
	return func(yield func(fiber.RegularID) bool) {
		for slot := uint32(0); g.alive > 0 && slot < uint32(len(c.groups.slots)); slot++ {
			if c.groups.at(slot).within(g) && !yield(fiber.NewRegularID(slot, c.slots.at(slot).gen)) {
				return
			}
		}
	}
}

// within reports whether g is the other Group or below it.
func (g *Group) within(other *Group) bool {
	for g != nil && g != other {
		g = g.parent
	}
	return g != nil
}

// refusal is why the Group gets no fibers any more, or nil.
func (g *Group) refusal() error {
	for ; g != nil; g = g.parent {
		if g.ended != nil {
			return g.ended
		}
	}
	return nil
}

// clock is the ticket of the Group's time limit in the wheel.
func (g *Group) clock() fiber.Ticket { return fiber.Ticket{ID: fiber.ID(g.index), Seq: g.setting} }

// isOn tells whether the entry of the wheel is the time limit, or the resumption, of a Group that has
// fibers.
func (t *groupTable) isOn(entry fiber.Ticket) bool {
	at := uint64(entry.ID) - 1
	return at < uint64(len(t.all)) && t.all[at] != nil && (t.all[at].setting == entry.Seq || t.all[at].wait == entry.Seq)
}

// countTime adds the time since it was last counted.
func (g *Group) countTime() error {
	now := g.core.Now()
	d := time.Duration(now - g.began)
	g.began = now
	return g.account.AddTime(d)
}

// limits counts the time limits and resumptions in the wheel: they make no fiber ready that is not
// held.
func (t *groupTable) limits() int {
	if t == nil {
		return 0
	}
	return t.clocks
}

// takeTimer counts a deadline that has been set, for which timerError has found room.
func (t *groupTable) takeTimer(id fiber.ID) {
	if g := t.of(id); g != nil {
		g.account.Add(quota.Timers, 1)
	}
}

// giveTimer uncounts a deadline that is over.
func (t *groupTable) giveTimer(id fiber.ID) {
	if g := t.of(id); g != nil {
		g.account.Give(quota.Timers, 1)
	}
}

// takeAlarm counts an alarm that the current fiber has set, if it has: it counts to that fiber's
// Group until it is not set any more, whatever sets it again.
func (t *groupTable) takeAlarm(slot uint32) {
	if g := t.current(); g != nil && t.core.timers.alarms.isSet(slot) {
		g.account.Add(quota.Timers, 1)
		t.alarms = note(t.alarms, slot, g)
	}
}

// giveAlarm uncounts an alarm that is not set any more.
func (t *groupTable) giveAlarm(slot uint32) {
	if t != nil && !t.core.timers.alarms.isSet(slot) {
		release(t.alarms, slot, quota.Timers)
	}
}

// released uncounts an operation whose token has ended.
func (t *groupTable) released(token uint32) { release(t.tokens, token, quota.Operations) }

// note remembers which Group something in a table counts to, and returns the table.
func note(table []*Group, slot uint32, g *Group) []*Group {
	for uint32(len(table)) <= slot {
		table = append(table, nil)
	}
	table[slot] = g
	return table
}

// release gives back what something in a table counts to.
func release(table []*Group, slot uint32, r quota.Resource) {
	if slot < uint32(len(table)) && table[slot] != nil {
		table[slot].account.Give(r, 1)
		table[slot] = nil
	}
}
