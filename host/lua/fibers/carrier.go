package fibers

import (
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/stackful"
)

// carrier is the Lua side of one fiber. It implements lua.Carrier, by which a Lua thread
// reaches the fiber it runs on.
type carrier struct {
	env    *env
	fiber  *stackful.Fiber
	thread *lua.Thread
	task   *task
	loads  *loadingModule // the module it waits for in require

	iterators iterators // of Go functions, which end with the fiber

	unmasks int // shields of the fiber that have ended and are still counted by the scheduler
}

// Budget is the time slice in instructions.
func (c *carrier) Budget() int64 { return int64(c.env.rt.Scheduler().Inspect().Budget()) }

// Poll ends the time slice.
func (c *carrier) Poll() error {
	c.unmask()
	return c.fiber.Yield()
}

// back is called with the error of every operation that may have suspended the fiber. It
// makes the Lua state this fiber's again. It does not return if the fiber was cancelled or
// killed meanwhile; any other error is returned.
//
// It takes the error, not the operation as a function, because of the cost of a stack
// switch: the processor mispredicts the return from each Go frame below the switch.
func (c *carrier) back(err error) error {
	c.unmask()
	c.thread.Mount()
	if err != nil {
		c.unwindIf(err)
	}
	return err
}

// unwindIf unwinds the fiber if err says that the fiber itself was interrupted. The error of a
// joined fiber is inside a *TaskError and does not unwind the joiner.
func (c *carrier) unwindIf(err error) {
	if _, stop := err.(*stackful.Interrupt); stop {
		c.thread.Unwind()
	}
}
