package vm

import (
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/gotools"
)

// beginShowing has the slices shown to Go's tools, if that is asked for. Each batch is then one fiber, because a
// fiber that hands over to the next one of its batch comes by no place that could tell.
func (m *Machine) beginShowing() {
	if m.cfg.Scheduler.GoTools {
		m.shown, m.cfg.Scheduler.OneByOne = gotools.New(m.entry), true
	}
}

// entry is the function that a goroutine which has not run yet begins with.
func (m *Machine) entry(id fiber.ID) string {
	if id == m.main.ID() {
		return mainFunction
	}
	function, _, _ := strings.Cut(m.sched.Inspect().Site(id), " at ")
	return function
}

// showNext shows that the current fiber runs.
func (m *Machine) showNext() {
	m.showEnd()
	m.showing = m.sched.Current()
	m.shown.Begin(m.showing)
	id, _ := m.showing.Regular()
	m.shown.LabelIn(m.showing, m.Function(id))
}

// showEnd shows that the slice has ended.
func (m *Machine) showEnd() {
	if m.shown.Running() {
		m.shown.End(m.sched.Inspect().State(m.showing) == fiber.Dead)
		m.shown.Unlabel()
	}
}

// endShowing ends the tasks that are left, with the loop.
func (m *Machine) endShowing() {
	m.showEnd()
	m.shown.Close()
}
