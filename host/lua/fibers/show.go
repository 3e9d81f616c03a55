package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/gotools"
)

// show has fibers labeled for Go's own tools by the Lua function that they are in, if that is asked for. Package stackful
// labels them by ID and name, and takes the labels away.
func (e *env) show() {
	if e.cfg.Runtime.GoTools {
		e.shown = gotools.New(e.rt.Scheduler().Inspect().Name)
	}
}

// showFirst labels the goroutine of a fiber that is about to call its function.
func (c *carrier) showFirst(fn *glua.LFunction) {
	if c.env.shown != nil {
		c.env.shown.LabelIn(c.fiber.ID(), lua.FunctionOf(fn))
	}
}

// show labels the goroutine that executes, which may be that of a coroutine, at the beginning of a slice. Without a
// transition since the last time there is no new slice.
func (c *carrier) show() {
	if c.env.shown == nil {
		return
	}
	if now := c.env.rt.Scheduler().Inspect().Transitions(); now != c.shownAt {
		c.shownAt = now
		c.env.shown.LabelIn(c.fiber.ID(), c.thread.Function())
	}
}
