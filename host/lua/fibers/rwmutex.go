package fibers

import (
	"maps"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// rwmutex is a lock for one writer, whose death poisons it, or for many readers.
type rwmutex struct {
	*wait.RWMutex
	host *Host
}

func (m *rwmutex) lock() stackful.Locker { return m.RWMutex }

func (h *Host) checkRWMutex(L *glua.LState) *rwmutex {
	return receiver[*rwmutex](h, L, "rwmutex", "m")
}

func (h *Host) openRWMutex() {
	methods := lockMethods[*rwmutex](h, "rwmutex", "m")
	maps.Copy(methods, map[string]glua.LGFunction{
		"rlock": h.rlock, "try_rlock": h.tryRLock, "runlock": h.runlock, "rwith": h.rwith,
	})
	h.types.rwmutex = h.newType("fiber.rwmutex", methods)
	h.nameType(h.types.rwmutex, "rwmutex", func(L *glua.LState) string { return h.checkRWMutex(L).Name() })
}

func (h *Host) newRWMutex(L *glua.LState) int {
	m := &rwmutex{wait.NewRWMutex(ownerDeath(L, wait.Poison)), h}
	m.SetName(h.objectName(L))
	L.Push(object(m, h.types.rwmutex))
	return 1
}

func (h *Host) rlock(L *glua.LState) int {
	m, c := h.checkRWMutex(L), h.self(L)
	deadline := h.deadline(L, 2)
	return h.ended(L, c, c.fiber.RLockUntil(m.RWMutex, deadline))
}

func (h *Host) tryRLock(L *glua.LState) int {
	m, c := h.checkRWMutex(L), h.self(L)
	ok, err := c.fiber.TryRLock(m.RWMutex)
	return h.tried(L, c, ok, err)
}

func (h *Host) runlock(L *glua.LState) int {
	m, c := h.checkRWMutex(L), h.self(L)
	h.check(L, c.back(c.fiber.RUnlock(m.RWMutex)))
	return 0
}

// rwith is m:with for readers.
func (h *Host) rwith(L *glua.LState) int {
	m, c := h.checkRWMutex(L), h.self(L)
	L.CheckFunction(2)
	h.check(L, c.back(c.fiber.RLock(m.RWMutex)))
	L.Remove(1)
	return h.during(L, func(now *carrier) error { return now.fiber.RUnlock(m.RWMutex) })
}
