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

func (h *Host) timerMethods() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{"wait": h.waitTimer, "stop": h.stopTimer, "reset": h.resetTimer}
}

func (h *Host) openTimer() {
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

func asTimer(v glua.LValue) (*timer, bool) {
	ud, ok := v.(*glua.LUserData)
	if !ok {
		return nil, false
	}
	t, ok := ud.Value.(*timer)
	return t, ok
}

func (h *Host) checkTimer(L *glua.LState) *timer {
	t, ok := asTimer(L.Get(1))
	if !ok {
		L.ArgError(1, "timer expected, got "+typeName(L.Get(1))+"; call it as t:method()")
	}
	h.checkHost(L, "timer", t.host)
	return t
}

func (h *Host) waitTimer(L *glua.LState) int {
	t, c := h.checkTimer(L), h.self(L)
	deadline := h.deadline(L, 2)
	if h.timedOut(L, c.back(c.fiber.WaitTimerBy(t.Timer, deadline))) {
		return 2
	}
	L.Push(glua.LTrue)
	return 1
}

func (h *Host) stopTimer(L *glua.LState) int {
	t, c := h.checkTimer(L), h.self(L)
	won, err := c.fiber.StopTimer(t.Timer)
	h.check(L, c.back(err))
	L.Push(glua.LBool(won))
	return 1
}

func (h *Host) resetTimer(L *glua.LState) int {
	t, c := h.checkTimer(L), h.self(L)
	won, err := c.fiber.ResetTimer(t.Timer, h.until(L, 2, L.CheckNumber(2)))
	h.check(L, c.back(err))
	L.Push(glua.LBool(won))
	return 1
}
