// Statemachine writes docs/state-machine.md: the tables and diagrams of the state machine,
// from package spec and from the table of refusals that proptest holds the scheduler to.
//
//	go run ./internal/tools/statemachine > docs/state-machine.md
//
// Nothing of the document is written by hand, so it cannot be out of date: a test compares
// the file with what comes, and -rewrite writes it. What a diagram shows is found by
// searching through small machines; an edge that is not in it did not occur in any state.
package main
