package timelinetest

import (
	"cmp"
	"fmt"
	"slices"
)

// Counts are how many fibers are in each state from an instant on.
type Counts struct {
	At                      Instant
	Running, Ready, Blocked int
}

// Counters are those of the timeline, in its order.
func (t *Timeline) Counters() (all []Counts) {
	for _, e := range t.Events {
		if e.Phase == "C" {
			all = append(all, Counts{e.At, e.Number("running"), e.Number("ready"), e.Number("blocked")})
		}
	}
	return all
}

// checkCounters holds the counters of fibers that run and are blocked against the intervals.
func (t *Timeline) checkCounters() error {
	counters := t.Counters()
	if !slices.IsSortedFunc(counters, func(a, b Counts) int { return cmp.Or(cmp.Compare(a.At, b.At), 1) }) {
		return fmt.Errorf("two counters are of one instant, or out of order: %+v", counters)
	}
	want := t.counted()
	next := 0
	now := Counts{}
	for _, c := range counters {
		for next < len(want) && want[next].At <= c.At {
			now.Running += want[next].Running
			now.Blocked += want[next].Blocked
			next++
		}
		if c.Running != now.Running || c.Blocked != now.Blocked || c.Ready < 0 {
			return fmt.Errorf("the counter %+v; by the intervals %+v", c, now)
		}
	}
	return nil
}

// counted are the changes that the intervals make, by time.
func (t *Timeline) counted() (changes []Counts) {
	for on, list := range t.lists {
		for _, x := range list {
			switch {
			case on.process != Fibers:
			case x.Category == "slice":
				changes = append(changes, Counts{At: x.At, Running: 1}, Counts{At: x.End(), Running: -1})
			case x.Arg("end") != "open":
				changes = append(changes, Counts{At: x.At, Blocked: 1}, Counts{At: x.End(), Blocked: -1})
			default:
				changes = append(changes, Counts{At: x.At, Blocked: 1})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b Counts) int { return cmp.Compare(a.At, b.At) })
	return changes
}
