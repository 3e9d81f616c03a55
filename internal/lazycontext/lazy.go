package lazycontext

import (
	"context"
	"sync/atomic"
)

// Lazy is the part of a context that is made at the first use. The zero Lazy has not been used
// and has not ended. Every call for one Lazy names the same parent.
type Lazy struct{ real atomic.Pointer[Real] }

// Real is a context of the standard library, with the function that ends it.
type Real struct {
	context.Context
	end context.CancelCauseFunc
}

func newReal(parent context.Context) *Real {
	ctx, end := context.WithCancelCause(parent)
	return &Real{ctx, end}
}

// Past makes a context that has ended, with a cause; nil is context.Canceled. It is what Finish
// makes of any number of contexts that were never used.
func Past(cause error) *Real {
	r := newReal(context.Background())
	r.end(cause)
	return r
}

// Get returns the real context, and makes it at the first call.
func (l *Lazy) Get(parent context.Context) context.Context {
	if r := l.real.Load(); r != nil {
		return r
	}
	r := newReal(parent)
	if !l.real.CompareAndSwap(nil, r) {
		r.end(nil) // another goroutine stored its context first
		return l.real.Load()
	}
	return r
}

// InUse reports whether a real context exists: a goroutine asked for it, or it was ended. false may be
// outdated when it returns.
func (l *Lazy) InUse() bool { return l.real.Load() != nil }

// Ended returns the cause with which the context has ended, or nil. Of a context that is not in use
// it does not know whether the parent has ended.
func (l *Lazy) Ended() error {
	if r := l.real.Load(); r != nil {
		return context.Cause(r)
	}
	return nil
}

// End ends the context and reports whether it was the first to do so; of two goroutines that end it
// at the same time, both may be. Later causes are ignored, as are all after the end of the parent. It needs no Get before: storing a context that has ended
// already is one step.
func (l *Lazy) End(parent context.Context, cause error) (first bool) {
	if l.real.Load() == nil {
		r := newReal(parent)
		r.end(cause)
		if l.real.CompareAndSwap(nil, r) {
			return true
		}
	}
	r := l.real.Load()
	first = r.Err() == nil
	r.end(cause)
	return first
}

// Finish ends the context with the cause of past, and reports whether it had ended before. It
// allocates nothing: a context that was never in use becomes past. Code may have kept it, and a
// goroutine that looks at it later must not wait for an end that nothing brings.
func (l *Lazy) Finish(past *Real) (ended bool) {
	if l.real.Load() == nil && l.real.CompareAndSwap(nil, past) {
		return false
	}
	r := l.real.Load()
	ended = r.Err() != nil
	r.end(context.Cause(past))
	return ended
}
