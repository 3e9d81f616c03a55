package explore

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
)

// Kind is how a run ends.
type Kind string

// The kinds. All but Passed are findings.
const (
	Passed    Kind = "passed"
	Deadlock  Kind = "deadlock"  // fibers wait for each other
	Leak      Kind = "leak"      // main has ended, and a fiber can never run again
	Failure   Kind = "failure"   // a panic, an error or a failed assertion
	Race      Kind = "race"      // two accesses that nothing orders
	Endless   Kind = "endless"   // a bound of steps or of virtual time was passed
	Different Kind = "different" // the output is not that of the first run
)

// Ending is how one run of a program has ended.
type Ending struct {
	Kind Kind
	// Text describes it: the error, or the report of the blocked fibers. Lines are separated by
	// newlines.
	Text string
	// Output is what the program has written; Options.SameOutput compares it.
	Output string
	// Steps are what the fibers ran between the switches, the first ones and the last ones of a long run:
	// of a finding, and of Run, if the host has called Show.
	Steps []Step
	// Omitted is how many steps are left out in the middle.
	Omitted int
	// Fibers are those that were alive at the end, in the order of their creation, if the host has called Show.
	Fibers []FiberState
	// Waits is the wait-for graph as text, if Text does not contain it.
	Waits string
}

// Program runs once, from its beginning, with the Choose of d as scheduler.Config.Choose. All that it
// reads must be the same in every run. An error says that the program cannot be run at all; it ends the
// search. Guest and Runtime make one.
type Program func(d *Decisions) (Ending, error)

// Decisions answer the decisions of one run.
type Decisions struct {
	ctx    context.Context // of the search; nil is none
	choose func(scheduler.Choice) int
	steps  *steps // what the steps of the run do, for DPOR; nil if it is not asked for
	shown  bool   // Ending.Steps is asked for
}

// NewDecisions are those of a function: for a run outside of Search and Run.
func NewDecisions(choose func(scheduler.Choice) int) *Decisions { return &Decisions{choose: choose} }

// Choose is for scheduler.Config.Choose.
func (d *Decisions) Choose(c scheduler.Choice) int { return d.choose(c) }

// Finding is a schedule under which a program breaks.
type Finding struct {
	Ending
	// Schedule is minimized: of the schedules that were tried and end in the same kind, it has the
	// fewest switches.
	Schedule Schedule
	// Run is the number of the run that found it, from 1.
	Run int
}
