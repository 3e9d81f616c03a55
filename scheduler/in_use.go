package scheduler

// InUse is how much there is of everything, as of one moment between two operations. Runnable, Held, Running
// and Blocked are the regular fibers that are not Dead: their sum is Inspect.Live.
type InUse struct {
	Runnable int // in the ready queue
	Held     int // ready, and kept out of the ready queue: paused, or their Group is stopped
	Running  int // the current fiber, and those that are pinned or lent
	Blocked  int
	Calls    int // native calls in flight
	Timers   int // deadlines that are on
	// The asynchronous operations that have not ended, by OperationState.State.
	Submitted, Awaited, Complete, Abandoned int
}

// InUse counts what there is now. It changes nothing, and costs no time that depends on how much that is.
func (f Inspect) InUse() InUse {
	c := f.core
	o := c.io.Stages()
	u := InUse{
		Runnable: c.run().len(), Held: c.pauses.held, Blocked: f.Blocked(), Calls: c.tramps.live, Timers: c.timers.live,
		Submitted: o.Submitted, Awaited: o.Awaited, Complete: o.Completed, Abandoned: o.Abandoned,
	}
	u.Running = f.Live() - u.Runnable - u.Held - u.Blocked
	return u
}
