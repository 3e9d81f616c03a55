package scheduler

// FibersByState counts the regular fibers that are not Dead, as of one moment between two operations: those in the ready
// queue; those that are ready and kept out of it, because they are paused or their Group is stopped; the current one and
// those that are pinned or lent; those that are Blocked. The sum is Live. It costs no time that depends on how many there are.
func (f Inspect) FibersByState() (runnable, held, running, blocked int) {
	runnable, held, blocked = f.core.run().len(), f.core.pauses.held, f.Blocked()
	return runnable, held, f.Live() - runnable - held - blocked, blocked
}

// OperationsByState counts the asynchronous operations that have not ended, by OperationState.State. It takes
// constant time.
func (f Inspect) OperationsByState() (submitted, awaited, complete, abandoned int) {
	s := f.core.io.Stages()
	return s.Submitted, s.Awaited, s.Completed, s.Abandoned
}
