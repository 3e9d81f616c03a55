// Package invariants is the switch of the checked build: with -tags invariants the
// scheduler re-checks its whole location table after every transition (docs/invariants.md).
// The constant lets the compiler drop the checks everywhere else.
//
// In the checked build it also knows the goroutine that owns a scheduler (rule ONE-OWNER). A
// scheduler embeds an Owner and takes the ownership at the start of an operation, a slice or a run. The
// call stacks on which slices run (internal/stack) follow it: they make their goroutine the owner while
// they run. A goroutine is identified by its address in the runtime (goroutine_*.s); nothing is read
// from there.
package invariants

// Owned is a scheduler: it embeds an Owner. The method is not exported, so that no scheduler has it
// in its API.
type Owned interface{ owner() *Owner }

func (o *Owner) owner() *Owner { return o }
