package island

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/selvage-dev/selvage/scheduler"
)

// DeadlockError is a deadlock that spans islands: none of their fibers can ever run again,
// because each waits for something that only fibers of these islands could do. All islands in it
// get the same value. It is never written again, so each owner may read it and keep it.
type DeadlockError struct {
	// Islands are those in the deadlock, in the order of their numbers.
	Islands []BlockedIsland
	// Cycle are the names of islands each of which waits for the next one, and the last for
	// the first.
	Cycle []string

	// published is stored after the last island has the error. Until then Deadlock returns nil: an
	// island that ended earlier would be an event for those that do not have it yet, and their
	// fibers would be woken out of the state that the report shows.
	published atomic.Bool
}

// BlockedIsland is one island of a deadlock that spans several.
type BlockedIsland struct {
	Address  Address
	Name     string
	WaitsFor []string          // the names of the islands that could have woken it
	Report   *scheduler.Report // its blocked fibers
	island   *Island
	onAll    bool // it depends on all other islands of the registry
}

// newDeadlockError sorts the islands, so that the report does not depend on which island found the
// deadlock. It follows the first dependency of each island until one repeats: that is the
// cycle. Every dependency of an island in the report is in the report, because a round asks all
// islands that can be reached. islands is not empty, and the error keeps it.
func newDeadlockError(islands []BlockedIsland) *DeadlockError {
	slices.SortFunc(islands, func(a, b BlockedIsland) int { return int(a.Address.Island) - int(b.Address.Island) })
	waitsFor := map[string][]string{}
	for _, f := range islands {
		waitsFor[f.Name] = f.WaitsFor
	}
	e := &DeadlockError{Islands: islands}
	var path []string
	for at := islands[0].Name; ; at = waitsFor[at][0] {
		if k := slices.Index(path, at); k >= 0 {
			e.Cycle = path[k:]
			return e
		}
		path = append(path, at)
		if len(waitsFor[at]) == 0 {
			return e // it waits for no other island: its own fibers block each other
		}
	}
}

// Error is the whole report: the cycle, and every blocked fiber of every island.
func (e *DeadlockError) Error() string {
	var b strings.Builder
	if len(e.Islands) == 1 {
		b.WriteString("deadlock of one island: no other island is left that could wake its fibers")
	} else {
		fmt.Fprintf(&b, "deadlock across %d islands: each waits for what only others of them could send", len(e.Islands))
	}
	if len(e.Cycle) > 0 {
		fmt.Fprintf(&b, "\ncycle: %s → %s", strings.Join(e.Cycle, " → "), e.Cycle[0])
	}
	for _, f := range e.Islands {
		fmt.Fprintf(&b, "\n%s (%v)", f.Name, f.Address)
		if len(f.WaitsFor) > 0 {
			fmt.Fprintf(&b, " waits for %s", strings.Join(f.WaitsFor, ", "))
		}
		if f.Report != nil {
			fmt.Fprintf(&b, "\n%s", strings.TrimRight(f.Report.String(), "\n"))
		}
	}
	return b.String()
}

// record publishes the deadlock to all islands in it, or to none. It is refused if one of them
// is in another deadlock already, which probes at the same time may find: that island may have
// ended since it answered, and its end may have woken others. The lock orders the records of
// different owners; it is not needed to read a deadlock.
func (r *Registry) record(islands []BlockedIsland) bool {
	e := newDeadlockError(islands)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range e.Islands {
		if f.island.deadlocked() {
			return false
		}
	}
	for _, f := range e.Islands {
		f.island.deadlock.Store(e)
	}
	e.published.Store(true) // no island may act on it before the last one has it
	return true
}
