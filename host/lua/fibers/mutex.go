package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

func (h *Host) mutexMethods() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{"lock": h.lock, "unlock": h.unlock, "with": h.with}
}

func (h *Host) openMutex() {
	h.nameType(h.types.mutex, "mutex", func(L *glua.LState) string { return h.checkMutex(L).Name() })
}

func (h *Host) newMutex(L *glua.LState) int {
	m := wait.NewMutex(wait.Poison)
	m.SetName(h.objectName(L))
	L.Push(object(m, h.types.mutex))
	return 1
}

func (h *Host) checkMutex(L *glua.LState) *wait.Mutex {
	if ud, ok := L.Get(1).(*glua.LUserData); ok {
		if m, ok := ud.Value.(*wait.Mutex); ok {
			return m
		}
	}
	L.ArgError(1, "mutex expected, got "+typeName(L.Get(1))+"; call it as m:method()")
	return nil
}

func (h *Host) lock(L *glua.LState) int {
	c, m := h.self(L), h.checkMutex(L)
	deadline := h.deadline(L, 2)
	err := c.wait(func(f *stackful.Fiber) error { return f.LockBy(m, deadline) })
	if h.timedOut(L, err) {
		return 2
	}
	L.Push(glua.LTrue)
	return 1
}

func (h *Host) unlock(L *glua.LState) int {
	c, m := h.self(L), h.checkMutex(L)
	h.check(L, c.wait(func(f *stackful.Fiber) error { return f.Unlock(m) }))
	return 0
}

// with is m:with(f, ...): it calls f while it holds the lock, and gives what f gives. It
// unlocks whatever way f ends but one: a fiber that is cancelled or killed in f poisons
// the lock, since what it guards may be half done.
func (h *Host) with(L *glua.LState) int {
	c, m := h.self(L), h.checkMutex(L)
	L.CheckFunction(2)
	h.check(L, c.wait(func(f *stackful.Fiber) error { return f.Lock(m) }))
	args := L.GetTop() - 2
	L.Remove(1)
	failed := L.PCall(args, glua.MultRet, nil)
	h.check(L, c.wait(func(f *stackful.Fiber) error { return f.Unlock(m) }))
	if failed != nil {
		reraise(L, failed)
	}
	return L.GetTop()
}

// reraise raises a caught error again, with the value it had.
func reraise(L *glua.LState, err error) {
	if api, ok := err.(*glua.ApiError); ok {
		L.Error(api.Object, 0)
	}
	L.RaiseError("%v", err)
}
