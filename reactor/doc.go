// Package reactor is the shell around a scheduler: what touches the real clock and the
// goroutines that may block.
//
// It owns the wall clock, and per Pool the work that is under way: by token, what was
// handed over and has not been collected. What it never does: decide which fiber runs, or
// touch the scheduler from a worker.
package reactor
