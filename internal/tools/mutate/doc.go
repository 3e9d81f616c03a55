// Command mutate makes small mistakes in the source, one at a time, and asks the tests
// whether they notice: a mutant that no test finds is a line that no test checks.
//
//	go run ./internal/tools/mutate -sample 200 -seed 1     # or: make mutate
//	go run ./internal/tools/mutate -report                 # of what was done so far
//
//	go run ./internal/tools/mutate -sieve -all             # every one
//
// The tables it owns are the operators (operators.go), the tests that check each package
// (suites.go), and the mutants that are no mistakes, each with the reason
// (equivalents.txt). One of those that fits no mutant any more fails the tests.
//
// Results are appended to a file, a line of JSON each, so that a run can be stopped and
// goes on where it was; a mutant of a file that has changed since is tried anew.
//
// A mutant that is tried alone is a build of its own, of which half a minute is the compiler's. With
// -sieve, all that were drawn are first tried in one build per package of tests, in which
// a variable of the environment says which one is on (package schema). That is sound
// because all that the sieve ever says is that a mutant was noticed:
//
//   - What it notices is noticed: the function that ran is the mutant's source to the
//     letter, and a test that passes with every function replaced by a copy without a
//     mistake fails with this one. Tests that do not pass then, those of what the compiler
//     inlines and allocates, have no say in it.
//   - What it lets through, and what cannot be woven, is tried alone as if there were no
//     sieve. The sieve reports no mutant as alive, or as the same program.
//
// What it never does: write to the source. A mutant is an overlay (internal/tools/trial).
//
// Why a tool of our own: those that are kept (gremlins, go-mutesting and its forks)
// either do not delete statements or write into the tree, in which others work; one that
// does neither builds all mutants into one binary and does nothing else, and tests here
// count what the compiler inlines and allocates.
package main
