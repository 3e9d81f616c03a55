package stackful

import "context"

// Context is the fiber's context, for calls into Go code that takes one: with the values and the
// deadline of the context given to Run. It ends when the fiber is cancelled, but not within Shield,
// when it is killed or ends, and with the run; context.Cause then gives an error that wraps
// ErrCancelled or ErrKilled of package scheduler, and the cause. Cleanup that must be done after
// that uses context.WithoutCancel of it. Any goroutine may use the context; only the fiber's own
// function asks for it. See scheduler.Unwind.Context.
//
// Code that blocks on it blocks the scheduler: it is for code that returns soon, and for
// goroutines and packages such as fiberio that wait elsewhere.
func (f *Fiber) Context() context.Context {
	f.own("Context")
	return f.rt.sched.Unwind().Context()
}
