package inspect

import (
	"encoding/json"
	"io"
)

// Version is that of the form of a Report. It grows when a field changes its meaning or goes away;
// fields may be added without that.
const Version = 1

// Report is the state of a scheduler at one moment between two operations. It is a copy, which
// encoding/json writes in the form of docs/inspect.md.
type Report struct {
	Version     int    `json:"version"`
	Verdict     string `json:"verdict"`         // how the run ended
	Status      int    `json:"status"`          // the exit status, of a command
	Error       string `json:"error,omitempty"` // why the run failed, as text
	Transitions uint64 `json:"transitions"`
	Now         int64  `json:"now"` // nanoseconds of the scheduler's clock
	// Fibers are in slot order, each followed by the native calls that it is in.
	Fibers  []Fiber  `json:"fibers"`
	Objects []Object `json:"objects"`
	// Edges lead from each blocked fiber to what it waits on.
	Edges []Edge `json:"edges"`
	// Sites are places in guest programs, each once.
	Sites []string `json:"sites"`
	// Cycle is one chain of fibers each of which waits for the next, the last for the first.
	Cycle []string `json:"cycle"`
	// Stuck are the groups of fibers that can only be woken by each other, while others can run.
	Stuck [][]string `json:"stuck"`
	// Timers, Operations and Groups are of the same moment as the rest.
	Timers     Timers     `json:"timers"`
	Operations Operations `json:"operations"`
	Groups     []Group    `json:"groups"` // those that have fibers
}

// Fiber is one fiber or native call.
type Fiber struct {
	ID       string  `json:"id"`
	Name     string  `json:"name,omitempty"`
	State    string  `json:"state"`
	Reason   string  `json:"reason,omitempty"`   // the kind of its wait, if it is blocked
	Deadline *int64  `json:"deadline,omitempty"` // of its wait, on the same clock as Now
	External bool    `json:"external,omitempty"` // the outside can end its wait
	Lent     bool    `json:"lent,omitempty"`     // it is running, and a worker has its slice
	Site     *int    `json:"site,omitempty"`     // in Sites
	Group    *int    `json:"group,omitempty"`    // in Groups
	Steps    *uint64 `json:"steps,omitempty"`    // that it has executed, if its host counts them (AddSteps)
	// These are known with a recorder (AddAccounts).
	Parent  string  `json:"parent,omitempty"`   // the fiber that spawned it
	InState *int64  `json:"in_state,omitempty"` // nanoseconds since it came into its state
	Busy    *int64  `json:"busy,omitempty"`     // nanoseconds that it ran
	Slices  *uint64 `json:"slices,omitempty"`   // time slices that it had
}

// Object is something that fibers wait on.
type Object struct {
	Name string `json:"name"`
	// Holders are the fibers that are known to be able to end the waits; none if any fiber might.
	Holders []string `json:"holders,omitempty"`
}

// Edge is one thing that a fiber waits on: an object, or the native call that it has made.
type Edge struct {
	Fiber  string `json:"fiber"`
	Object *int   `json:"object,omitempty"` // in Objects
	Call   string `json:"call,omitempty"`   // the ID of the call
}

// Write writes the report as one line of JSON.
func (r *Report) Write(w io.Writer) error { return json.NewEncoder(w).Encode(r) }
