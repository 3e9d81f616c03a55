package reactor

import (
	"context"
	"sync/atomic"
	"time"
)

// workContext is the context of a piece of work. It costs nothing until somebody looks,
// which most work never does: then a real context is made.
//
// The owner ends it and a worker looks, each by one store followed by one load of what
// the other stores, so one of them sees the other.
type workContext struct {
	cause atomic.Pointer[error] // why it ended; nil before
	real  atomic.Pointer[realContext]
}

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
	ctx, end := context.WithCancelCause(context.Background())
	r := &realContext{ctx, end}
	if !c.real.CompareAndSwap(nil, r) {
		end(nil) // another goroutine of the work was first
		return c.real.Load()
	}
	if cause := c.ended(); cause != nil {
		end(cause)
	}
	return r
}

// ended is the cause, or nil.
func (c *workContext) ended() error {
	if cause := c.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// cancel ends the context, and tells whether it had not ended before. The first cause
// stays.
func (c *workContext) cancel(cause error) (first bool) {
	first = c.cause.CompareAndSwap(nil, &cause)
	if first {
		c.release(cause)
	}
	return first
}

// release ends the real context, if there is one: it also lets go of what that holds when
// the work is done.
func (c *workContext) release(cause error) {
	if r := c.real.Load(); r != nil {
		r.end(cause)
	}
}
