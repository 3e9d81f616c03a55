package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/stackful"
)

// carrier is the Lua side of one fiber: what a Lua thread needs of what it runs on.
type carrier struct {
	host   *Host
	fiber  *stackful.Fiber
	thread *lua.Thread
	task   *task
	wants  *module // whose loading it waits for

	unmasks int // shields of it that are over and still there
}

// Budget is the slice.
func (c *carrier) Budget() int64 { return int64(c.host.rt.Scheduler().Inspect().Budget()) }

// Poll ends the slice.
func (c *carrier) Poll() error {
	c.unmask()
	return c.fiber.Yield()
}

// start spawns a fiber that calls fn on the thread. One that is cancelled before it
// begins never does. The site is its name, until the program gives a better one.
func (h *Host) start(site string, thread *lua.Thread, fn *glua.LFunction, args []glua.LValue) (*task, error) {
	return h.startBy(h.rt.Go, site, thread, fn, args)
}

// startBy is start with a way to spawn.
func (h *Host) startBy(spawn func(string, stackful.Func) (*stackful.Task, error), site string, thread *lua.Thread, fn *glua.LFunction, args []glua.LValue) (*task, error) {
	t := &task{host: h}
	stack, err := spawn(site, h.code(t, site, thread, fn, args))
	if err != nil {
		return nil, err
	}
	t.stack = stack
	return t, nil
}

// code is what the fiber of a task runs.
func (h *Host) code(t *task, site string, thread *lua.Thread, fn *glua.LFunction, args []glua.LValue) stackful.Func {
	c := &carrier{host: h, thread: thread, task: t}
	return func(f *stackful.Fiber) (any, error) {
		c.fiber = f
		f.Local = c
		if err := f.Checkpoint(); err != nil {
			return nil, err
		}
		values, err := thread.Run(c, fn, args...)
		if err != nil {
			return nil, placed(guestError(err), site)
		}
		return values, nil
	}
}

// self is the carrier of the fiber that called a library function.
func (h *Host) self(L *glua.LState) *carrier {
	c := h.caller(L)
	if c == nil {
		L.RaiseError("only a fiber can do this")
	}
	return c
}

// caller is self, or nil for Lua code that the host runs by itself, even if it runs it
// from a fiber's Go function: the Lua stack it uses is one for all, and cannot be put
// aside.
func (h *Host) caller(L *glua.LState) *carrier {
	if t := h.state.Current(); t != nil && L != h.state.Base() {
		c, ok := t.Carrier().(*carrier)
		if ok && h.rt.Scheduler().Current() == c.fiber.ID() {
			return c
		}
	}
	return nil
}

// back is called with the error of every call that may have put the fiber aside: it
// makes the Lua state this fiber's again. If the fiber was cancelled or killed meanwhile
// it unwinds here; any other error is passed on.
//
// It takes the error, and not the call as a function, because of what a switch of stacks
// costs: the processor mispredicts the return from each Go frame below it.
func (c *carrier) back(err error) error {
	c.unmask()
	c.thread.Mount()
	if err != nil {
		c.heed(err)
	}
	return err
}

// heed unwinds the fiber if the error says so. That of a joined fiber does not: it is
// inside a *TaskError.
func (c *carrier) heed(err error) {
	if _, stop := err.(*stackful.Interrupt); stop {
		c.thread.Unwind()
	}
}
