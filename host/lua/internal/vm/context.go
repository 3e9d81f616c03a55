package vm

import (
	"context"

	glua "github.com/yuin/gopher-lua"
)

// metered is the context of an LState in the context loop. gopher-lua calls its Done before each
// instruction, and Done counts it. The rest is the context that Go functions are to find.
type metered struct {
	context.Context
	meter *Meter
}

// Done counts one instruction. It returns a nil channel, which is never ready and the cheapest to
// poll.
func (c *metered) Done() <-chan struct{} {
	m := c.meter
	if m.Left--; m.Left < 0 {
		m.expire()
	}
	return nil
}

// SetContext sets what L.Context returns to Go functions; nil is no context. In the context loop
// they may use all but its Done, which counts.
func (m *Meter) SetContext(L *glua.LState, ctx context.Context) {
	switch {
	case m.direct != nil:
		*m.direct.place.contextOf(L) = ctx
	case ctx == nil:
		m.SetContext(L, context.Background())
	default:
		L.Context().(*metered).Context = ctx
	}
}
