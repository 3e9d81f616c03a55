// Package replay holds the trace of a real run against package spec: it does every
// transition again on the specification, and finds the first that is not allowed.
//
// A trace is NDJSON; docs/trace.md is its format, package trace writes it. Nothing in it
// is trusted: whatever the bytes are, the answer is a Report or one of the errors of
// this package, with the number of the line.
//
// # A window
//
// A run has any number of fibers, a spec.State has room for six. But a step of the
// machine sees little of it: the chain that executes, the chain it is done to, the head
// of the ready queue, the earliest deadline, the operation it names. So each step copies
// those into a State, has spec.Config.Step do the step there, and copies back what has
// changed (window.go). The rules stand in package spec and nowhere else. A test does every
// step of the graphs of spec in both ways, and everything that spec does not enable.
//
// What is left to this package is names: which fiber, ticket, operation and instant of
// the run each name of the window stands for, and that no name is used twice (I5).
//
// # What it never does
//
// Read more than the trace, keep more of it than what is alive, or take for granted what
// the specification does not model: a run that goes there is Uncovered, not in order.
package replay
