// Command mutate makes small mistakes in the source, one at a time, and asks the tests
// whether they notice: a mutant that no test finds is a line that nobody vouches for.
//
//	go run ./internal/tools/mutate -sample 200 -seed 1     # or: make mutate
//	go run ./internal/tools/mutate -report                 # of what was done so far
//
// The tables it owns are the operators (operators.go), the tests that judge each package
// (judges.go), and the mutants that are no mistakes, each with the reason
// (equivalents.txt). One of those that fits no mutant any more fails the tests.
//
// Results are appended to a file, a line of JSON each, so that a run can be stopped and
// goes on where it was; a mutant of a file that has changed since is tried anew.
//
// What it never does: write to the source. A mutant is an overlay (internal/tools/trial).
//
// Why a tool of our own: those that are kept (gremlins, go-mutesting and its forks)
// either do not delete statements or write into the tree, in which others work; one that
// does neither builds all mutants into one binary, and tests here count what the compiler
// inlines and allocates.
package main
