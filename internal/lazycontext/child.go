package lazycontext

import (
	"context"
	"time"
)

// Child is a context that is made at the first use, with a parent. It has the values and the
// deadline of the parent, and ends with it.
type Child struct {
	Lazy
	Parent context.Context
}

var _ context.Context = (*Child)(nil)

// End ends the context; see Lazy.End.
func (c *Child) End(cause error) (first bool) { return c.Lazy.End(c.Parent, cause) }

// Deadline is the parent's. It is no use of the context.
func (c *Child) Deadline() (time.Time, bool) { return c.Parent.Deadline() }

// Done is closed when the context ends.
func (c *Child) Done() <-chan struct{} { return c.Get(c.Parent).Done() }

// Err is why the context has ended, or nil.
func (c *Child) Err() error { return c.Get(c.Parent).Err() }

// Value is the parent's. Only the key by which the standard library finds the cause of a context
// needs the context itself. That key is an *int; an *int of other code is found as well.
func (c *Child) Value(key any) any {
	if _, cause := key.(*int); cause {
		return c.Get(c.Parent).Value(key)
	}
	return c.Parent.Value(key)
}
