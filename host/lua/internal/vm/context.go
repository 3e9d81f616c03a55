package vm

import (
	"context"
	"time"
)

// metered is a context that is never done. gopher-lua calls Done before each instruction, and Done
// counts it.
type metered struct{ meter *Meter }

var _ context.Context = (*metered)(nil)

// Done counts one instruction. It returns a nil channel, which is never ready and the cheapest to
// poll.
func (c *metered) Done() <-chan struct{} {
	m := c.meter
	if m.Left--; m.Left < 0 {
		m.expire()
	}
	return nil
}

// Deadline is none.
func (*metered) Deadline() (time.Time, bool) { return time.Time{}, false }

// Err is nil: the context is never done.
func (*metered) Err() error { return nil }

// Value is nothing.
func (*metered) Value(any) any { return nil }
