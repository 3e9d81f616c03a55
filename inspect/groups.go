package inspect

import (
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Group is a tree of fibers that are counted and limited together.
type Group struct {
	Name   string  `json:"name"`
	Parent *int    `json:"parent,omitempty"` // in Report.Groups: the one that it is below
	Fibers int     `json:"fibers"`           // that have not ended, here and in the Groups below
	Limits Amounts `json:"limits"`           // a resource that is absent has no limit
	Spent  Amounts `json:"spent"`            // here and in the Groups below; what is absent is 0
	Rate   int64   `json:"rate,omitempty"`   // steps a second at most
	Weight int64   `json:"weight,omitempty"` // of its share
	// Stopped is why its fibers do not run: "paused", "rate" or "share".
	Stopped string `json:"stopped,omitempty"`
	Ended   string `json:"ended,omitempty"` // why its fibers were killed
}

// Amounts are of the resources of package quota.
type Amounts struct {
	Steps      int64 `json:"steps,omitempty"`
	Memory     int64 `json:"memory,omitempty"` // bytes
	Fibers     int64 `json:"fibers,omitempty"`
	Timers     int64 `json:"timers,omitempty"`
	Operations int64 `json:"operations,omitempty"`
	Output     int64 `json:"output,omitempty"` // bytes
	Time       int64 `json:"time,omitempty"`   // nanoseconds
}

func (b *builder) addGroups() {
	all := b.of.Groups(nil)
	b.report.Groups = []Group{}
	for i := range all {
		b.groups[all[i].Group] = i
	}
	for i := range all {
		g := &all[i]
		row := Group{Name: g.Name, Parent: b.group(g.Parent), Fibers: g.Fibers, Limits: amounts(g.Limits), Spent: amounts(quota.Limits(g.Spent)),
			Rate: g.Rate, Weight: g.Weight, Stopped: g.Stopped}
		if g.Ended != nil {
			row.Ended = g.Ended.Error()
		}
		b.report.Groups = append(b.report.Groups, row)
	}
}

// group is the index of a Group that has fibers.
func (b *builder) group(g *scheduler.Group) *int {
	if at, known := b.groups[g]; known {
		return &at
	}
	return nil
}

func amounts(of quota.Limits) Amounts {
	return Amounts{Steps: of.Steps, Memory: of.Memory, Fibers: of.Fibers, Timers: of.Timers, Operations: of.Operations, Output: of.Output, Time: int64(of.Time)}
}
