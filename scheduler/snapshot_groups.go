package scheduler

import (
	"time"

	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/quota"
)

// GroupState is a Group that has fibers, and what it has used, as of one moment between two operations.
type GroupState struct {
	Group  *Group
	Parent *Group // that it is below; nil at the top
	Name   string
	Fibers int // that have not ended, here and in the Groups below
	Limits quota.Limits
	Spent  quota.Spent // here and in the Groups below; Time up to that moment
	Rate   int64       // steps a second; 0 is any
	Weight int64       // of its share; 0 is none of its own
	// Stopped is why its fibers do not run: "paused" by the host; "rate", until its steps are paid;
	// "share", until the next round; "" if nothing stops the Group itself.
	Stopped string
	Ended   error // what it was killed with; nil before
}

// Groups appends to memory[:0] the Groups that have fibers, in the order of their numbers: a Group that
// gets its first fiber takes the lowest one that is free, or the next. It changes nothing. The group of a
// single fiber is Inspect.Group.
func (f Inspect) Groups(memory []GroupState) []GroupState {
	c := f.core
	c.enter(op.Idle)
	defer c.leave()
	all := memory[:0]
	if c.groups != nil {
		for _, g := range c.groups.all {
			if g != nil {
				all = append(all, g.look())
			}
		}
	}
	clear(all[len(all):cap(all)]) // Groups of an earlier call are not kept alive
	return all
}

func (g *Group) look() GroupState {
	s := GroupState{
		Group: g, Parent: g.parent, Name: g.account.Name(), Fibers: g.alive,
		Limits: g.account.Limits(), Spent: g.account.Spent(), Rate: g.rate, Weight: g.weight, Ended: g.ended,
	}
	s.Spent.Time += time.Duration(g.core.now - g.began) // which a look must not count
	switch {
	case g.paused:
		s.Stopped = "paused"
	case g.wait != 0:
		s.Stopped = "rate"
	case g.spent:
		s.Stopped = "share"
	}
	return s
}
