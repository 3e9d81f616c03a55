package metrics

import (
	"strings"

	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// maxName is how many bytes of a Group's name are shown: the name may come from a guest.
const maxName = 128

// group is what the Groups of one name have used, and may use.
type group struct {
	name   string
	spent  quota.Spent
	limits quota.Limits // 0: no limit
}

// sumByName adds up the Groups of each name, because time series with the same labels cannot be told apart. A
// Group that is below one of its own name is in the numbers of that. At most n names come out, in the order of
// the Groups.
func sumByName(all []scheduler.GroupState, n int) (sums []group) {
	if len(all) == 0 {
		return nil
	}
	states, index := map[*scheduler.Group]*scheduler.GroupState{}, map[string]int{}
	for i := range all {
		states[all[i].Group] = &all[i]
	}
	for i := range all {
		g, name := &all[i], label(all[i].Name)
		if isBelow(g, name, states) {
			continue
		}
		at, known := index[name]
		if !known && len(sums) == n {
			continue
		}
		if !known {
			at = len(sums)
			index[name] = at
			sums = append(sums, group{name: name})
		}
		sums[at].spent = quota.Spent(add(quota.Limits(sums[at].spent), quota.Limits(g.Spent)))
		sums[at].limits = add(sums[at].limits, g.Limits)
	}
	return sums
}

// isBelow tells whether a Group above has the name.
func isBelow(g *scheduler.GroupState, name string, states map[*scheduler.Group]*scheduler.GroupState) bool {
	for at := states[g.Parent]; at != nil; at = states[at.Parent] {
		if label(at.Name) == name {
			return true
		}
	}
	return false
}

func add(a, b quota.Limits) quota.Limits {
	return quota.Limits{
		Steps: a.Steps + b.Steps, Memory: a.Memory + b.Memory, Fibers: a.Fibers + b.Fibers, Timers: a.Timers + b.Timers,
		Operations: a.Operations + b.Operations, Output: a.Output + b.Output, Time: a.Time + b.Time,
	}
}

// label makes a name that Prometheus accepts as the value of a label.
func label(name string) string {
	if len(name) > maxName {
		name = name[:maxName]
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}
