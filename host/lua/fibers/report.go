package fibers

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Report tells for people what every fiber is doing and where in the program it stands:
// those that are ready in the order of their turns, those that wait, and at the end those
// that are stuck for ever. Call it between two slices, as a command of the scheduler's
// Inbox is.
func (h *Host) Report() string {
	var b strings.Builder
	s := h.rt.Scheduler()
	fmt.Fprintf(&b, "%d fibers, %d of them blocked\n", s.Live(), s.Blocked())
	for id := range s.Ready() {
		fmt.Fprintf(&b, "  %s is ready\n", h.whereabouts(id))
	}
	b.WriteString(h.rt.Report().String())
	return b.String()
}

// whereabouts is the fiber with its name, and the line it has reached if it has begun.
func (h *Host) whereabouts(id fiber.RegularID) string {
	text := fmt.Sprintf("%v %q", id, h.rt.Scheduler().Name(id.ID()))
	if at := h.site(id); at != "" {
		text += " at " + at
	}
	return text
}

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
