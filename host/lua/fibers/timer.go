package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// timer fires once, and again when it is reset.
type timer struct {
	*wait.Timer
	host *Host
}

func (h *Host) openTimer() {
	h.types.timer = h.newType("fiber.timer", map[string]glua.LGFunction{"wait": h.waitTimer, "stop": h.stopTimer, "reset": h.resetTimer})
	h.nameType(h.types.timer, "timer", func(L *glua.LState) string { return h.checkTimer(L).Name() })
}

func (h *Host) newTimer(L *glua.LState) int {
	c, at := h.self(L), h.until(L, 1, L.CheckNumber(1))
	t := &timer{new(wait.Timer), h}
	t.SetName(h.objectName(L))
	_, err := c.fiber.ResetTimer(t.Timer, at)
	h.check(L, c.back(err))
	L.Push(object(t, h.types.timer))
	return 1
}

func (h *Host) checkTimer(L *glua.LState) *timer { return receiver[*timer](h, L, "timer", "t") }

func (h *Host) waitTimer(L *glua.LState) int {
	t, c := h.checkTimer(L), h.self(L)
	deadline := h.deadline(L, 2)
	return h.ended(L, c, c.fiber.WaitTimerUntil(t.Timer, deadline))
}

func (h *Host) stopTimer(L *glua.LState) int {
	t, c := h.checkTimer(L), h.self(L)
	won, err := c.fiber.StopTimer(t.Timer)
	return h.tried(L, c, won, err)
}

func (h *Host) resetTimer(L *glua.LState) int {
	t, c := h.checkTimer(L), h.self(L)
	won, err := c.fiber.ResetTimer(t.Timer, h.until(L, 2, L.CheckNumber(2)))
	return h.tried(L, c, won, err)
}
