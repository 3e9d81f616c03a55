// Package reactor is the shell around a scheduler: what touches the real clock, and
// later the real devices.
//
// It owns the wall clock. What it never does: decide which fiber runs.
package reactor
