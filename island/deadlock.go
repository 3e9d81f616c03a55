package island

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// DeadlockError is a deadlock that spans islands: no fiber of any of them can ever run
// again, because each waits for what only others of them could send.
type DeadlockError struct {
	// Islands are all in it, in the order of their numbers.
	Islands []Finding
	// Cycle are the names of islands each of which waits for the next, and the last for
	// the first.
	Cycle []string

	told atomic.Bool // all in it have it
}

func newDeadlockError(findings []Finding) *DeadlockError {
	slices.SortFunc(findings, func(a, b Finding) int { return int(a.Island.Island) - int(b.Island.Island) })
	return &DeadlockError{Islands: findings, Cycle: cycleOf(findings)}
}

// cycleOf follows the first dependency of each island until one comes up again.
func cycleOf(findings []Finding) []string {
	upon := map[string][]string{}
	for _, f := range findings {
		upon[f.Name] = f.Upon
	}
	var path []string
	for at := findings[0].Name; ; at = upon[at][0] {
		if k := slices.Index(path, at); k >= 0 {
			return path[k:]
		}
		path = append(path, at)
		if len(upon[at]) == 0 {
			return nil // it waits for nobody else: its own fibers are in each other's way
		}
	}
}

// Error is the whole report: the cycle, and every blocked fiber of every island.
func (e *DeadlockError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock across %d islands: each waits for what only others of them could send", len(e.Islands))
	if len(e.Cycle) > 0 {
		fmt.Fprintf(&b, "\ncycle: %s → %s", strings.Join(e.Cycle, " → "), e.Cycle[0])
	}
	for _, f := range e.Islands {
		fmt.Fprintf(&b, "\n%s (%v)", f.Name, f.Island)
		if len(f.Upon) > 0 {
			fmt.Fprintf(&b, " waits for %s", strings.Join(f.Upon, ", "))
		}
		if f.Report != nil {
			fmt.Fprintf(&b, "\n%s", strings.TrimRight(f.Report.String(), "\n"))
		}
	}
	return b.String()
}
