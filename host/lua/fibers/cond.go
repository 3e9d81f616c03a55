package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// cond is a condition of what a mutex guards.
type cond struct {
	*wait.Cond
	host *Host
}

func (h *Host) checkCond(L *glua.LState) *cond { return receiver[*cond](h, L, "cond", "c") }

func (h *Host) openCond() {
	h.types.cond = h.newType("fiber.cond", map[string]glua.LGFunction{
		"wait": h.waitForSignal, "signal": h.signal, "broadcast": h.broadcast,
	})
	h.nameType(h.types.cond, "cond", func(L *glua.LState) string { return h.checkCond(L).Name() })
}

func (h *Host) newCond(L *glua.LState) int {
	m := argument[*mutex](h, L, 1, "mutex", "")
	c := &cond{wait.NewCond(m.Mutex), h}
	c.SetName(h.objectName(L))
	L.Push(object(c, h.types.cond))
	return 1
}

// waitForSignal is c:wait([timeout]). It returns with the mutex. A fiber that is
// cancelled does not take it again: it would only die with it, and poison what it left
// in good order.
func (h *Host) waitForSignal(L *glua.LState) int {
	cd, c := h.checkCond(L), h.self(L)
	deadline := h.deadline(L, 2)
	err := c.fiber.AwaitSignal(cd.Cond, deadline)
	if err == stackful.ErrTimeout {
		if lost := c.fiber.Lock(cd.Mutex()); lost != nil {
			err = lost
		}
	}
	return h.ended(L, c, err)
}

func (h *Host) signal(L *glua.LState) int {
	cd, c := h.checkCond(L), h.self(L)
	h.check(L, c.back(c.fiber.Signal(cd.Cond)))
	return 0
}

func (h *Host) broadcast(L *glua.LState) int {
	cd, c := h.checkCond(L), h.self(L)
	h.check(L, c.back(c.fiber.Broadcast(cd.Cond)))
	return 0
}
