package fibers

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/stackful"
)

// Stack is the calls that a fiber of this Host is in, the innermost first; a fiber that has not begun has the one
// that it will begin with. With values, the calls of Lua functions have their variables. It is nil if the ID is of no
// living fiber of this Host, and empty if the fiber runs no Lua code, such as one of the library.
//
// The goroutine that runs the Host calls it, while no fiber executes or from a Go function of a fiber. It changes
// nothing that a program could notice, and calls none of its code. It costs some microseconds, and as much as a
// millisecond for a deep stack with values.
func (h *Host) Stack(id fiber.RegularID, values bool) []frame.Frame {
	if !h.has(id) {
		return nil
	}
	c := carrierOf(h.env.rt, id)
	if c == nil || c.env != h.env {
		return []frame.Frame{}
	}
	if c.first != nil {
		return []frame.Frame{h.env.state.FrameOf(c.first, c.args, values)}
	}
	return c.thread.Stack(values)
}

// Function is the innermost Lua function that a fiber of this Host is in, by the name that Stack has for it; of a fiber
// that has not begun, the one that it begins with. It is "" if the fiber is in none, or the ID is of no living fiber of
// this Host. The goroutine that runs the Host calls it, as Stack. It costs a part of a microsecond, however deep the stack
// is.
func (h *Host) Function(id fiber.RegularID) string {
	if !h.has(id) {
		return ""
	}
	switch c := carrierOf(h.env.rt, id); {
	case c == nil || c.env != h.env:
		return ""
	case c.first != nil:
		return lua.FunctionOf(c.first)
	default:
		return c.thread.Function()
	}
}

// has tells whether a living fiber belongs to this Host.
func (h *Host) has(id fiber.RegularID) bool {
	s := h.env.rt.Scheduler()
	if _, alive := s.Fiber(id); !alive {
		return false
	}
	return h.shared == nil || hostOf(s.Inspect().Group(id.ID())) == h
}

// carrierOf is the Lua side of a fiber; nil if it has none.
func carrierOf(rt *stackful.Runtime, id fiber.RegularID) *carrier {
	if slot, alive := rt.Scheduler().Fiber(id); alive && slot.Data != nil {
		c, _ := slot.Data.Local.(*carrier)
		return c
	}
	return nil
}

// siteOf is the line that a fiber has reached, for reports.
func siteOf(rt *stackful.Runtime, id fiber.RegularID) string {
	if c := carrierOf(rt, id); c != nil {
		return c.thread.Where()
	}
	return ""
}

// Source is the text of the source file that a Frame names: of the program, its modules and other chunks that this Host
// has loaded, if Config.Lua.KeepSource has room for it (lua.State.Source), but not of a *Program, which was compiled
// elsewhere. It reads no file. The goroutine that runs the Host calls it, as Stack.
func (h *Host) Source(file string) ([]byte, bool) {
	text, ok := h.env.state.Source(file)
	return []byte(text), ok
}
