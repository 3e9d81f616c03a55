// Package invariants is the switch of the checked build: with -tags invariants the
// scheduler re-checks its whole location table after every transition (docs/invariants.md).
// The constant lets the compiler drop the checks everywhere else.
//
// In the checked build it also knows the goroutine that owns a scheduler (rule ONE-OWNER). A
// scheduler embeds an Owner and takes it at the start of an operation, a slice or a run. The call
// stacks on which slices run (internal/stack) follow it: they make their goroutine the owner while
// they run.
package invariants

// Owned is what has an owner, because it embeds an Owner: a scheduler. The method is of this
// package, so that no scheduler exports it.
type Owned interface{ owner() *Owner }

func (o *Owner) owner() *Owner { return o }
