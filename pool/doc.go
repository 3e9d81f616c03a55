// Package pool runs fibers on several cores: it has one scheduler and one goroutine for each
// worker, and moves ready fibers from busy workers to idle ones (work stealing).
//
//	Pool      the workers, a queue of payloads spawned from outside, and the end of the run
//	Config    what a pool is made with; only Machine is required
//
// Each scheduler is used only by the goroutine of its worker. A fiber moves in a batch that
// its own worker takes out of its scheduler and that the thief puts into its own; the two
// exchange one atomic pointer (steal.go). With Config.Registry every worker is also an island.
//
// What it owns: the workers' goroutines, the queue of payloads, and the decision that
// nothing can run any more. What it never does: touch a scheduler from another goroutine,
// move a fiber that is not Movable, or poll while it has nothing to do.
//
// Who uses it: the benchmarks (bench). No program of this repository does.
package pool
