package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// once is something that the first who wants it does; if that fails, the next, or nobody.
type once struct {
	*wait.Once
	host *Host
}

func (h *Host) checkOnce(L *glua.LState) *once { return receiver[*once](h, L, "once", "o") }

func (h *Host) openOnce() {
	h.types.once = h.newType("fiber.once", map[string]glua.LGFunction{"run": h.runOnce, "done": h.onceDone, "repair": h.repairOnce})
	h.nameType(h.types.once, "once", func(L *glua.LState) string { return h.checkOnce(L).Name() })
}

func (h *Host) newOnce(L *glua.LState) int {
	o := &once{wait.NewOnce(ownerDeath(L, wait.HandOn)), h}
	o.SetName(h.objectName(L))
	L.Push(object(o, h.types.once))
	return 1
}

// runOnce is o:run(f [, timeout]): Go's Do, which Lua has another use for.
func (h *Host) runOnce(L *glua.LState) int {
	o, c, fn := h.checkOnce(L), h.self(L), L.CheckFunction(2)
	deadline := h.deadline(L, 3)
	now := c
	err := c.fiber.DoUntil(o.Once, func() error {
		_ = c.back(nil) // it may have waited for its turn
		L.Push(fn)
		L.Call(0, 0)
		now = h.self(L) // as in during
		return nil
	}, deadline)
	return h.ended(L, now, err)
}

func (h *Host) onceDone(L *glua.LState) int {
	L.Push(glua.LBool(h.checkOnce(L).Done()))
	return 1
}

func (h *Host) repairOnce(L *glua.LState) int {
	L.Push(glua.LBool(h.checkOnce(L).Repair()))
	return 1
}
