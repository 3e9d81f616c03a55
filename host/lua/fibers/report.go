package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
)

// report is fiber.report(): the partial deadlocks there are, or nil.
func (h *Host) report(L *glua.LState) int {
	stuck := h.rt.Report().Stuck
	if len(stuck) == 0 {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(glua.LString((&scheduler.Report{Stuck: stuck}).String()))
	return 1
}
