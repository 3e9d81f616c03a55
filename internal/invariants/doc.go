// Package invariants is the switch of the checked build: with -tags invariants the
// scheduler re-checks its whole location table after every transition (docs/invariants.md).
// The constant lets the compiler drop the checks everywhere else.
package invariants
