// Package timeline writes what a recorder tells as a trace in the JSON format of Chrome, which Perfetto and
// chrome://tracing show: a track for each fiber with its time slices and waits, one for the scheduler with the
// fiber that ran, arrows from the fiber that wakes or spawns to the other, and how many fibers were in
// each state. Several schedulers can be parts of one trace.
//
// It owns the tracks of the fibers that live, and one buffer for each scheduler. The trace is written while the
// program runs, so that its length costs no memory. It never reads a clock, and never asks the scheduler.
package timeline
