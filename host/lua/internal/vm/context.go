package vm

import (
	"context"
	"time"
)

// metered is a context that is never done. gopher-lua asks it before each instruction
// whether it is, and that is what it is for.
type metered struct{ meter *Meter }

var _ context.Context = (*metered)(nil)

// Done counts one instruction. The nil channel is never ready, and the cheapest to ask.
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
