package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/stepcount"
)

// counts are the steps of each fiber, with Config.CountSteps. They are counted in beginOtherwise, where a slice begins if
// Machine.left is negative: so counting subtracts bias from left, and from taken, which is compared with it. A program
// that is not counted pays nothing.
type counts struct {
	stepcount.Counts
	of   fiber.ID // whose slice runs, or was the last one
	rest int64    // how many steps were left when it began
}

// bias makes the most that can be left negative.
const bias = unlimited + 1

func (m *Machine) beginCounting() {
	if !m.cfg.CountSteps {
		return
	}
	m.bias = bias
	m.left, m.taken = m.left-bias, m.taken-bias
	m.counts = &counts{rest: m.remaining()}
}

// remaining is how many steps are left, less bias. A grant does not change it.
func (m *Machine) remaining() int64 { return m.left + int64(m.budget+m.rest) }

// countSlice counts the slice that has ended, when the next one has been granted.
func (m *Machine) countSlice() {
	c, rest := m.counts, m.remaining()
	c.Add(c.of, c.rest-rest)
	c.of, c.rest = m.sched.Current(), rest
}

// unbiased does something that compares left with 0.
func (m *Machine) unbiased(do func()) {
	by := m.bias
	m.bias, m.left, m.taken = 0, m.left+by, m.taken+by
	do()
	m.bias, m.left, m.taken = by, m.left-by, m.taken-by
}

// Steps is how many steps a fiber has executed; false if it has ended, or without Config.CountSteps.
func (m *Machine) Steps(id fiber.RegularID) (steps uint64, counted bool) {
	c := m.counts
	if _, alive := m.sched.Fiber(id); !alive || c == nil {
		return 0, false
	}
	steps = c.Of(id.ID())
	switch id.ID() {
	case m.grants.of:
		steps += uint64(max(m.unsettled(), 0))
	case c.of:
		if !m.grants.each {
			steps += uint64(max(min(c.rest-m.remaining(), c.rest+m.bias), 0)) // none beyond the quota
		}
	}
	return steps, true
}
