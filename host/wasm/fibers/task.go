package fibers

import (
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// task is a fiber as programs name it. It is the fiber's link in a program that cannot join.
type task struct {
	host  *Host
	stack *stackful.Task
}

// Died reports a failure at once. It is for programs that cannot join, because they do not import the
// function: the scheduler would report it when the run ends, which a server may never do.
func (t *task) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	t.host.unobserved.Died(t.stack, d)
	return wakes, orders
}

// spawn starts a fiber that calls an exported function of an instance of its own.
func (h *Host) spawn(c *wasm.Caller, stack []uint64) error {
	if !c.HasMemory() {
		return errors.New("a module without a memory cannot name a function")
	}
	text, ok := c.Module.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		return fmt.Errorf("name at %#x: %w", uint32(stack[0]), wasm.OutOfBounds)
	}
	if len(text) > maxName {
		return fmt.Errorf("a name of %d bytes: %w", len(text), wasm.ErrNoFunction)
	}
	name, arg := string(text), stack[2]
	if err := spawnable(c.Module, name); err != nil {
		return err
	}
	if len(h.tasks) == maxObjects {
		return fmt.Errorf("too many tasks: %d", maxObjects)
	}
	if err := h.takeMemory(c, taskSize); err != nil {
		return err
	}
	t := &task{host: h}
	var options scheduler.Options
	if !h.joins {
		options.Link = t
	}
	var err error
	t.stack, err = h.rt.Fibers().GoWith(name, func(f *stackful.Fiber) (any, error) {
		i, err := h.instance(f, &user{f})
		if err != nil {
			return nil, err
		}
		defer i.Close()
		return i.Call(f, name, arg)
	}, options)
	if err != nil {
		return err
	}
	h.tasks = append(h.tasks, t)
	h.touch(&h.tasks)
	h.touch(t)
	stack[0] = uint64(len(h.tasks))
	return nil
}

// maxName is the longest name of a function that can be spawned. A longer one could be a whole
// memory; it must not be copied and quoted.
const maxName = 1 << 12

// spawnable checks that the module exports a function that can be spawned.
func spawnable(m api.Module, name string) error {
	def, ok := m.ExportedFunctionDefinitions()[name]
	if !ok {
		return fmt.Errorf("%q: %w", name, wasm.ErrNoFunction)
	}
	params, results := def.ParamTypes(), def.ResultTypes()
	if len(params) != 1 || params[0] != i64 || len(results) > 1 || len(results) == 1 && results[0] != i64 {
		return fmt.Errorf("%q: want one parameter, an i64, and at most one result, an i64", name)
	}
	return nil
}

// join waits for the end of a fiber, and stores its result; 0 if it has none.
func (h *Host) join(c *wasm.Caller, stack []uint64) error {
	n, at := uint32(stack[0]), stack[1]
	if n < 1 || int64(n) > int64(len(h.tasks)) {
		h.reads(&h.tasks)
		return fmt.Errorf("%d is no task", int32(n))
	}
	h.reads(h.tasks[n-1])
	until, err := deadline(c, stack[2])
	if err != nil {
		return err
	}
	v, err := c.Fiber.JoinUntil(h.tasks[n-1].stack, until)
	if _, failed := err.(*stackful.TaskError); failed {
		stack[0] = closed
		return nil
	}
	if err := settle(stack, err); err != nil || stack[0] != done {
		return err
	}
	result := int64(0)
	if values, _ := v.([]uint64); len(values) > 0 {
		result = int64(values[0])
	}
	return store(c, at, result)
}
