package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
)

// tasks starts fibers, and has the functions about fibers. All fibers of a Host run on its
// runtime.
type tasks struct {
	*env
	types *typeOf[*task]
}

// task is a fiber as Lua programs hold it.
type task struct {
	stack *stackful.Task
	self  *glua.LUserData // the one object of the task, so that equal tasks are equal values

	kept []glua.LValue // its results or its error, when it has ended

	answersFor *server // the server whose request the fiber handles; nil if none
}

func newTasks(e *env) *tasks {
	t := &tasks{env: e}
	id := func(of *task) string { return of.stack.ID().String() }
	t.types = newType(e, typeSpec[*task]{library: "fiber", kind: "task", self: "task", show: id, methods: t.methods, metamethods: t.fields})
	return t
}

// object returns the Lua value of a task.
func (t *tasks) object(of *task) *glua.LUserData {
	if of.self == nil {
		of.self = t.types.wrap(of)
	}
	return of.self
}

func (t *tasks) methods(types *typeOf[*task]) functions {
	return functions{
		// task:join([timeout]); see call.joined.
		"join": func(L *glua.LState) int {
			c, of := types.op(L)
			deadline := c.deadline(2)
			result, err := c.fiber.JoinUntil(of.stack, deadline)
			t.watch.joined(of)
			return c.joined(result, err)
		},
		// task:cancel([cause]) may be called after the end, and has no effect then.
		"cancel": func(L *glua.LState) int {
			of, cause := types.receiver(L), cancelCause(L)
			_ = t.rt.Scheduler().Cancel(of.stack.ID(), cause) // an error means that the task has ended
			return 0
		},
		// task:status() is the scheduling state.
		"status": types.string(func(of *task) string {
			t.watch.joined(of)
			return t.rt.Scheduler().Inspect().State(of.stack.ID()).String()
		}),
		// task:name([s]) returns the name, after setting it to s.
		"name": func(L *glua.LState) int {
			of := types.receiver(L)
			if L.GetTop() > 1 {
				of.stack.SetName(t.rt, L.CheckString(2))
			}
			return push(L, glua.LString(of.stack.Name()))
		},
	}
}

// fields gives tasks the field id besides the methods.
func (t *tasks) fields(types *typeOf[*task]) functions {
	methods := types.metatable().RawGetString("__index").(*glua.LTable)
	return functions{"__index": func(L *glua.LState) int {
		of, key := types.receiver(L), L.Get(2)
		if key == glua.LString("id") {
			return push(L, glua.LString(of.stack.ID().String()))
		}
		return push(L, L.RawGet(methods, key))
	}}
}

// joined ends a join: true and the results of the task, or false and its error, or nil and
// "timeout".
func (c call) joined(result any, err error) int {
	err = c.back(err)
	var failed *stackful.TaskError
	switch {
	case errors.As(err, &failed):
		return push(c.L, glua.LFalse, errorValue(failed.Err))
	case c.env.timedOut(c.L, err):
		return 2
	}
	values, _ := result.([]glua.LValue)
	return push(c.L, glua.LTrue) + push(c.L, values...)
}

// cancelCause reads the optional cause of a cancellation from argument 2.
func cancelCause(L *glua.LState) error { return errors.New(L.OptString(2, "cancelled")) }
