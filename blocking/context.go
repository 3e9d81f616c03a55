package blocking

import (
	"context"
	"sync/atomic"
	"time"
)

// workContext is the context of one job. Most work never looks at its context, so a real one
// is made only when the work asks for it or the owner cancels it. Both may do so at the same
// time: the first stores its context, and the other uses that.
type workContext struct{ real atomic.Pointer[realContext] }

// realContext is a context of the standard library with the function that ends it. It has no parent:
// it ends when its token is abandoned, when its pool is closed by force, or after the work.
type realContext struct {
	context.Context
	end context.CancelCauseFunc
}

var _ context.Context = (*workContext)(nil)

// Deadline reports none: the deadline belongs to the fiber's wait, whose end cancels the context.
func (c *workContext) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done is closed when the context ends.
func (c *workContext) Done() <-chan struct{} { return c.get().Done() }

// Err is context.Canceled once the context has ended; context.Cause gives the cause.
func (c *workContext) Err() error { return c.get().Err() }

// Value serves context.Cause, which looks for the cause by a key of its own.
func (c *workContext) Value(key any) any { return c.get().Value(key) }

// get returns the real context, and makes it at the first call.
func (c *workContext) get() context.Context {
	if r := c.real.Load(); r != nil {
		return r
	}
	r := newRealContext()
	if !c.real.CompareAndSwap(nil, r) {
		r.end(nil) // another goroutine stored its context first
		return c.real.Load()
	}
	return r
}

func newRealContext() *realContext {
	ctx, end := context.WithCancelCause(context.Background())
	return &realContext{ctx, end}
}

// inUse reports whether a real context exists: the work asked for it, or it was cancelled. false may
// be outdated when it returns; then the cancellation counts as one that came after the work.
func (c *workContext) inUse() bool { return c.real.Load() != nil }

// ended returns the cause of the cancellation, or nil.
func (c *workContext) ended() error {
	if r := c.real.Load(); r != nil {
		return context.Cause(r)
	}
	return nil
}

// cancel ends the context and reports whether it was the first to do so. Later causes are
// ignored. It needs no get before: storing a context that has ended already is one step.
func (c *workContext) cancel(cause error) (first bool) {
	r := newRealContext()
	r.end(cause)
	if c.real.CompareAndSwap(nil, r) {
		return true
	}
	r = c.real.Load()
	first = r.Err() == nil
	r.end(cause)
	return first
}

// close ends the context when its work has ended, and reports whether it had been cancelled before. A
// context that was never in use becomes past, which has ended: the work may have kept it, and a
// goroutine that looks at it later must not wait for an end that nothing brings.
func (c *workContext) close(past *realContext) (cancelled bool) {
	if c.real.Load() == nil && c.real.CompareAndSwap(nil, past) {
		return false
	}
	r := c.real.Load()
	cancelled = r.Err() != nil
	r.end(context.Canceled)
	return cancelled
}
