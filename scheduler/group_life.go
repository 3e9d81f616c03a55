package scheduler

import (
	"time"

	"github.com/selvage-dev/selvage/internal/wheel"
	"github.com/selvage-dev/selvage/quota"
)

// join counts a fiber that is being spawned, for which Fibers was taken. The clocks of the Groups
// that had no fiber start.
func (t *groupTable) join(g *Group, slot uint32) {
	for at := g; at != nil; at = at.parent {
		if at.alive++; at.alive == 1 {
			t.begin(at)
		}
	}
	for uint32(len(t.slots)) <= slot {
		t.slots = append(t.slots, 0)
	}
	t.slots[slot] = g.index
}

// leave uncounts a fiber that has ended.
func (t *groupTable) leave(slot uint32) {
	g := t.at(slot)
	if g == nil {
		return
	}
	t.slots[slot] = 0
	g.account.Give(quota.Fibers, 1)
	for at := g; at != nil; at = at.parent {
		if at.alive--; at.alive == 0 {
			t.end(at)
		}
	}
}

// begin gives a Group that gets its first fiber an index, and starts its clock.
func (t *groupTable) begin(g *Group) {
	if n := len(t.free); n > 0 {
		g.index = t.free[n-1]
		t.free = t.free[:n-1]
		t.all[g.index-1] = g
	} else {
		t.all = append(t.all, g)
		g.index = uint32(len(t.all))
	}
	g.began = t.core.Now()
	if limit := g.account.Limit(quota.Time); limit != 0 {
		t.last++
		t.clocks++
		g.setting = t.last
		left := time.Duration(limit) - g.account.Spent().Time
		t.core.timers.add(wheel.Entry{Deadline: g.began.After(left), Ticket: g.clock(), Kind: endsGroup})
	}
	g.resumeLater()
	g.repace()
}

// end stops the clock of a Group whose last fiber has ended, and frees its index.
func (t *groupTable) end(g *Group) {
	g.endShutdowns()
	clock := g.clock()
	g.stopTimer()
	g.endShare()
	g.repace()
	t.all[g.index-1] = nil
	t.free = append(t.free, g.index)
	g.index = 0
	_ = g.countTime() // it has no fiber left that could be killed
	if clock.Seq != 0 {
		t.clocks--
		g.setting = 0
		t.core.timers.stale()
	}
}

// endShutdowns ends the waits of Shutdown if the Group is empty.
func (g *Group) endShutdowns() {
	if g.alive > 0 || g.coming > 0 {
		return
	}
	for _, ended := range g.emptied {
		close(ended)
	}
	g.emptied = nil
}
