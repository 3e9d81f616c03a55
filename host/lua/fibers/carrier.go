package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
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
	group  *scheduler.Group

	first *glua.LFunction // what the fiber will call, until it begins
	args  []glua.LValue   // with

	iterators iterators // of Go functions, which end with the fiber

	steps   uint64 // executed, until Used was called last
	shownAt uint64 // how many transitions there were when its goroutine got labels

	unmasks int // shields of the fiber that have ended and are still counted by the scheduler
}

// Budget is the time slice in instructions: no more than the quotas have left, so that the next
// instruction is the one that passes a quota.
func (c *carrier) Budget() int64 {
	return min(int64(c.env.rt.Scheduler().Inspect().Budget()), c.group.Account().Left(quota.Steps))
}

// Used takes the steps. They are more than what is left only if native code has used more than its
// time slice.
func (c *carrier) Used(steps int64) {
	if left := c.group.Account().Left(quota.Steps); steps > left {
		c.pay(left)
		steps -= left
	}
	c.pay(steps)
}

// pay takes steps, and counts those of the fiber that its quotas allow. An error means that the fiber is killed.
func (c *carrier) pay(steps int64) {
	if c.group.Take(quota.Steps, steps) == nil {
		c.steps += uint64(steps)
	}
}

// Poll ends the time slice. A fiber that has no steps left passes its quota here, because it is about to
// use one.
func (c *carrier) Poll() error {
	if c.group.Account().Left(quota.Steps) == 0 {
		_ = c.group.Take(quota.Steps, 1)
	}
	c.unmask()
	err := c.fiber.Yield()
	c.show()
	return err
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
	c.show()
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
