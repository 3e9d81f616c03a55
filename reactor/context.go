package reactor

import (
	"context"
	"sync/atomic"
	"time"
)

// workContext is the context of a piece of work. It costs nothing until somebody looks,
// which most work never does: then a real context is made.
//
// The owner that ends it makes one too, that has ended: whoever is first, the other sees it.
type workContext struct{ real atomic.Pointer[realContext] }

type realContext struct {
	context.Context
	end context.CancelCauseFunc
}

var _ context.Context = (*workContext)(nil)

// Deadline: there is none; the deadline of the wait is the fiber's, and ends the context.
func (c *workContext) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done is closed when the context ends.
func (c *workContext) Done() <-chan struct{} { return c.look().Done() }

// Err is context.Canceled once the context has ended; context.Cause says why.
func (c *workContext) Err() error { return c.look().Err() }

// Value is asked by package context, for the cause.
func (c *workContext) Value(key any) any { return c.look().Value(key) }

func (c *workContext) look() context.Context {
	if r := c.real.Load(); r != nil {
		return r
	}
	r := newRealContext()
	if !c.real.CompareAndSwap(nil, r) {
		r.end(nil) // another goroutine was first
		return c.real.Load()
	}
	return r
}

func newRealContext() *realContext {
	ctx, end := context.WithCancelCause(context.Background())
	return &realContext{ctx, end}
}

// inUse tells whether somebody has looked, or it has ended.
func (c *workContext) inUse() bool { return c.real.Load() != nil }

// ended is the cause, or nil.
func (c *workContext) ended() error {
	if r := c.real.Load(); r != nil {
		return context.Cause(r)
	}
	return nil
}

// cancel ends the context, and tells whether it had not ended before. The first cause
// stays.
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

// close lets go of what a context in use holds when its work is done, and tells whether it
// had ended before.
func (c *workContext) close() (ended bool) {
	r := c.real.Load()
	ended = r.Err() != nil
	r.end(context.Canceled)
	return ended
}
