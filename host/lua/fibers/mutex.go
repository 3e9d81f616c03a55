package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// mutex is a lock that the death of its owner poisons.
type mutex struct {
	*wait.Mutex
	host *Host
}

func (h *Host) mutexMethods() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{"lock": h.lock, "unlock": h.unlock, "with": h.with}
}

func (h *Host) openMutex() {
	h.nameType(h.types.mutex, "mutex", func(L *glua.LState) string { return h.checkMutex(L).Name() })
}

func (h *Host) newMutex(L *glua.LState) int {
	m := &mutex{wait.NewMutex(wait.Poison), h}
	m.SetName(h.objectName(L))
	L.Push(object(m, h.types.mutex))
	return 1
}

func (h *Host) checkMutex(L *glua.LState) *mutex {
	if ud, ok := L.Get(1).(*glua.LUserData); ok {
		if m, ok := ud.Value.(*mutex); ok {
			h.checkHost(L, "mutex", m.host)
			return m
		}
	}
	L.ArgError(1, "mutex expected, got "+typeName(L.Get(1))+"; call it as m:method()")
	return nil
}

func (h *Host) lock(L *glua.LState) int {
	m, c := h.checkMutex(L), h.self(L)
	deadline := h.deadline(L, 2)
	if h.timedOut(L, c.back(c.fiber.LockBy(m.Mutex, deadline))) {
		return 2
	}
	L.Push(glua.LTrue)
	return 1
}

func (h *Host) unlock(L *glua.LState) int {
	m, c := h.checkMutex(L), h.self(L)
	h.check(L, c.back(c.fiber.Unlock(m.Mutex)))
	return 0
}

// with is m:with(f, ...): it calls f while it holds the lock, and gives what f gives. It
// unlocks whatever way f ends but one: a fiber that is cancelled or killed in f poisons
// the lock, since what it guards may be half done.
func (h *Host) with(L *glua.LState) int {
	m, c := h.checkMutex(L), h.self(L)
	L.CheckFunction(2)
	h.check(L, c.back(c.fiber.Lock(m.Mutex)))
	defer func() {
		if thrown := recover(); thrown != nil { // a Lua error, on its way with its traceback; a cancel or kill is nil
			if now := h.caller(L); now != nil {
				_ = now.fiber.Unlock(m.Mutex) // f may have unlocked it: then f's error is the one to know
			}
			panic(thrown)
		}
	}()
	L.Remove(1)
	L.Call(L.GetTop()-1, glua.MultRet)
	c = h.self(L) // f may have yielded to a coroutine that another fiber resumed
	h.check(L, c.back(c.fiber.Unlock(m.Mutex)))
	return L.GetTop()
}
