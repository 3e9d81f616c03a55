// Statemachine writes docs/state-machine.md: the tables and diagrams of the state machine,
// from package spec and from the table of refusals that proptest holds the scheduler to.
//
//	go run ./internal/tools/statemachine > docs/state-machine.md
//
// The whole document is generated; a test compares the file with the output, and -rewrite writes
// it. The edges of the diagrams are found by searching the states of small machines; an edge that
// is not in a diagram does not occur in any state.
package main
