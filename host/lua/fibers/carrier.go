package fibers

import (
	"slices"

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
}

// Budget is the slice.
func (c *carrier) Budget() int64 { return int64(c.host.rt.Scheduler().Budget()) }

// Poll ends the slice.
func (c *carrier) Poll() error {
	err := c.fiber.Yield()
	if err != nil {
		c.task.stopped = true
	}
	return err
}

// start spawns a fiber that calls fn on the thread. One that is cancelled before it
// begins never does. The site is its name, until the program gives a better one.
func (h *Host) start(site string, thread *lua.Thread, fn *glua.LFunction, args []glua.LValue) (*task, error) {
	t := &task{host: h}
	c := &carrier{host: h, thread: thread, task: t}
	stack, err := h.rt.Go(site, func(f *stackful.Fiber) (any, error) {
		c.fiber = f
		f.Local = c
		if err := f.Checkpoint(); err != nil {
			t.stopped = true
			return nil, err
		}
		values, err := thread.Run(c, fn, args...)
		if err != nil {
			return nil, placed(guestError(err), site)
		}
		return values, nil
	})
	if err != nil {
		return nil, err
	}
	t.stack = stack
	h.remember(t)
	return t, nil
}

// remember keeps the task until it is known to have ended well or to be observed.
func (h *Host) remember(t *task) {
	if len(h.tasks) == cap(h.tasks) {
		h.forgetSettled()
		h.tasks = slices.Grow(h.tasks, len(h.tasks)+1) // so that looking at all is rare
	}
	h.tasks = append(h.tasks, t)
}

// maxUntold is how many failures wait for a join until the oldest are told at once: a
// program that spawns failures for ever must not fill the memory with them.
const maxUntold = 1000

func (h *Host) forgetSettled() {
	untold := 0
	for _, t := range h.tasks {
		if t.failed() {
			untold++
		}
	}
	kept := h.tasks[:0]
	for _, t := range h.tasks {
		switch {
		case t.settled():
		case untold > maxUntold && t.failed():
			h.tell(t)
			untold--
		default:
			kept = append(kept, t)
		}
	}
	clear(h.tasks[len(kept):])
	h.tasks = kept
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
		c.task.stopped = true
		c.thread.Unwind()
	}
}
