package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// task is a fiber as Lua programs hold it.
type task struct {
	host  *Host
	stack *stackful.Task
	self  *glua.LUserData // one object a task, so that tasks compare equal

	answersFor *server // nil: it is no handler's
}

func (t *task) object() *glua.LUserData {
	if t.self == nil {
		t.self = object(t, t.host.types.task)
	}
	return t.self
}

// openTask gives tasks their methods and the field id.
func (h *Host) openTask() {
	L := h.state.Base()
	h.types.task = h.newType("fiber.task", nil)
	methods := functionTable(L, map[string]glua.LGFunction{
		"join": h.join, "cancel": h.cancel, "status": h.status, "name": h.name,
	})
	h.types.task.RawSetString("__index", L.NewFunction(func(L *glua.LState) int {
		t, key := h.checkTask(L), L.Get(2)
		if key == glua.LString("id") {
			L.Push(glua.LString(t.stack.ID().String()))
		} else {
			L.Push(L.RawGet(methods, key))
		}
		return 1
	}))
	h.nameType(h.types.task, "task", func(L *glua.LState) string { return h.checkTask(L).stack.ID().String() })
}

func (h *Host) checkTask(L *glua.LState) *task { return receiver[*task](h, L, "task", "task") }

func (h *Host) spawn(L *glua.LState) int {
	L.Push(h.spawned(L, L.CheckFunction(1), 2).object())
	return 1
}

// spawned is a new fiber that calls fn with the arguments from the given position on.
func (h *Host) spawned(L *glua.LState, fn *glua.LFunction, from int) *task {
	t, err := h.start(site(L), h.state.Spawn(L), fn, copied(L, from))
	h.checkSpawn(L, err)
	return t
}

// checkSpawn raises the error of a spawn, or unwinds the fiber that was killed.
func (h *Host) checkSpawn(L *glua.LState, err error) {
	if errors.Is(err, scheduler.ErrTooManyFibers) {
		L.RaiseError("spawn: too many fibers: %d are alive; let some end first, or raise the limit (selvage run --max-fibers N)", h.rt.Scheduler().Inspect().Live())
	}
	if c := h.caller(L); c != nil {
		c.heed(err)
	}
	h.check(L, err)
}

func (h *Host) selfTask(L *glua.LState) int {
	L.Push(h.self(L).task.object())
	return 1
}

func (h *Host) join(L *glua.LState) int {
	t, c := h.checkTask(L), h.self(L)
	deadline := h.deadline(L, 2)
	result, err := c.fiber.JoinUntil(t.stack, deadline)
	err = c.back(err)
	var failed *stackful.TaskError
	switch {
	case errors.As(err, &failed):
		L.Push(glua.LFalse)
		L.Push(errorValue(failed.Err))
		return 2
	case h.timedOut(L, err):
		return 2
	}
	values, _ := result.([]glua.LValue)
	L.Push(glua.LTrue)
	for _, v := range values {
		L.Push(v)
	}
	return 1 + len(values)
}

func (h *Host) cancel(L *glua.LState) int {
	t := h.checkTask(L)
	cause := errors.New(L.OptString(2, "cancelled"))
	// A task that has ended needs no cancelling: ErrGone is what was wanted.
	_ = h.rt.Scheduler().Cancel(t.stack.ID(), cause)
	return 0
}

func (h *Host) status(L *glua.LState) int {
	L.Push(glua.LString(h.rt.Scheduler().Inspect().State(h.checkTask(L).stack.ID()).String()))
	return 1
}

func (h *Host) name(L *glua.LState) int {
	t := h.checkTask(L)
	if L.GetTop() > 1 {
		t.stack.SetName(h.rt, L.CheckString(2))
	}
	L.Push(glua.LString(t.stack.Name()))
	return 1
}
