// Package context is what minigo has of Go's.
package context

import (
	"errors"
	"time"
)

type Context interface {
	Deadline() (deadline time.Time, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

// point is where the schedule may change while it is explored; otherwise it is nothing.
func point()

type CancelFunc func()
type CancelCauseFunc func(cause error)

var Canceled = errors.New("context canceled")

type deadlineExceeded struct{}

func (deadlineExceeded) Error() string   { return "context deadline exceeded" }
func (deadlineExceeded) Timeout() bool   { return true }
func (deadlineExceeded) Temporary() bool { return true }

var DeadlineExceeded error = deadlineExceeded{}

type empty struct{ name string }

func (empty) Deadline() (deadline time.Time, ok bool) { return }
func (empty) Done() <-chan struct{}                   { return nil }
func (empty) Err() error                              { return nil }
func (empty) Value(key any) any                       { return nil }
func (e empty) String() string                        { return e.name }

func Background() Context { return empty{"context.Background"} }
func TODO() Context       { return empty{"context.TODO"} }

// cancelCtx is notified when its parent ends, and notifies its children.
type cancelCtx struct {
	Context
	done     chan struct{}
	err      error
	cause    error
	children []*cancelCtx
	deadline time.Time
	timed    bool
	timer    *time.Timer
	after    func() // of AfterFunc
}

type cancelKey struct{}

func (c *cancelCtx) Done() <-chan struct{} { return c.done }

func (c *cancelCtx) Err() error {
	point()
	return c.err
}

func (c *cancelCtx) Value(key any) any {
	if key == (cancelKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func (c *cancelCtx) Deadline() (deadline time.Time, ok bool) {
	if c.timed {
		return c.deadline, true
	}
	return c.Context.Deadline()
}

func (c *cancelCtx) cancel(err, cause error) {
	if c.err != nil {
		return
	}
	if cause == nil {
		cause = err
	}
	c.err, c.cause = err, cause
	close(c.done)
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.after != nil {
		go c.after()
	}
	children := c.children
	c.children = nil
	for _, child := range children {
		child.cancel(err, cause)
	}
}

func newCancel(parent Context) *cancelCtx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &cancelCtx{Context: parent, done: make(chan struct{})}
	c.follow(parent)
	return c
}

// follow ends the context with its parent.
func (c *cancelCtx) follow(parent Context) {
	point()
	if p, ok := parent.Value(cancelKey{}).(*cancelCtx); ok && p.done == parent.Done() {
		if p.err != nil {
			c.cancel(p.err, p.cause)
		} else {
			p.children = append(p.children, c)
		}
	} else if parent.Done() != nil {
		go func() {
			select {
			case <-parent.Done():
				c.cancel(parent.Err(), Cause(parent))
			case <-c.done:
			}
		}()
	}
}

// end is the CancelFunc.
func (c *cancelCtx) end() {
	point()
	c.cancel(Canceled, nil)
}

func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	c := newCancel(parent)
	return c, c.end
}

func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	c := newCancel(parent)
	return c, func(cause error) {
		point()
		c.cancel(Canceled, cause)
	}
}

func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	c := newCancel(parent)
	if cur, ok := parent.Deadline(); ok && cur.Before(d) {
		return c, c.end
	}
	c.deadline, c.timed = d, true
	left := time.Until(d)
	if left <= 0 {
		c.cancel(DeadlineExceeded, cause)
		return c, c.end
	}
	if c.err == nil {
		c.timer = time.AfterFunc(left, func() { c.cancel(DeadlineExceeded, cause) })
	}
	return c, c.end
}

func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, time.Now().Add(timeout))
}

func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
}

// AfterFunc calls f on a goroutine of its own after ctx has ended.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	c := &cancelCtx{Context: ctx, done: make(chan struct{}), after: f}
	c.follow(ctx)
	return func() bool {
		point()
		stopped := c.err == nil
		c.after = nil
		c.cancel(Canceled, nil)
		return stopped
	}
}

// isComparable reports whether values of the type can be compared.
func isComparable(v any) bool

type valueCtx struct {
	Context
	key, val any
}

func WithValue(parent Context, key, val any) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if key == nil {
		panic("nil key")
	}
	if !isComparable(key) {
		panic("key is not comparable")
	}
	return &valueCtx{parent, key, val}
}

func (c *valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}

func Cause(c Context) error {
	if cc, ok := c.Value(cancelKey{}).(*cancelCtx); ok && cc.cause != nil {
		return cc.cause
	}
	return c.Err()
}

type withoutCancel struct{ c Context }

func WithoutCancel(parent Context) Context { return withoutCancel{parent} }

func (withoutCancel) Deadline() (deadline time.Time, ok bool) { return }
func (withoutCancel) Done() <-chan struct{}                   { return nil }
func (withoutCancel) Err() error                              { return nil }

func (c withoutCancel) Value(key any) any {
	if key == (cancelKey{}) {
		return nil
	}
	return c.c.Value(key)
}
