package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// settlement is for programs whose fibers have several Groups, or one with a rate: each slice is granted
// what the Group of its fiber has left, and settled when it ends. So that programs without such Groups pay
// nothing for it, left is always negative then: each slice begins in beginOtherwise.
type settlement struct {
	each    bool             // slice is settled
	payer   *scheduler.Group // of the fiber whose slice runs, or was the last one; nil is the account
	granted int64            // to the slice, and not settled
	of      fiber.ID         // the fiber of the slice
}

// eachSlice is left while each slice is settled.
const eachSlice = -unlimited

// SettleEachSlice returns the Group of all fibers, whose rate and weight count from now on. It is nil if the
// program runs without one already.
func (m *Machine) SettleEachSlice() *scheduler.Group {
	g := m.Group()
	if g != nil {
		m.settleEach()
	}
	return g
}

func (m *Machine) settleEach() {
	if m.grants.each {
		return
	}
	if m.counts != nil {
		m.countSlice()
	}
	m.settle()
	m.grants = settlement{each: true, payer: m.group, of: m.sched.Current(), granted: m.taken - m.left} // with what is beyond the quota
	m.left, m.bias = eachSlice, 0
}

// groupOf is the Group for a call.
func (m *Machine) groupOf(call *Invocation) *scheduler.Group {
	if call.Limits == (quota.Limits{}) {
		return m.group
	}
	m.settleEach()
	if m.group == nil { // the program has no quotas
		return m.sched.Attachments().NewGroupOf(m.account.Child(call.Name, call.Limits))
	}
	return m.sched.Attachments().NewGroup(m.group, call.Name, call.Limits)
}

// settleSlice takes the steps since the last time from the Group of the fiber.
func (m *Machine) settleSlice() {
	s := &m.grants
	used := s.granted - int64(m.budget+m.rest)
	s.granted -= used
	if left := m.payerAccount().Left(quota.Steps); used > left {
		m.paySteps(left) // there is as much
		used -= left
	}
	if used > 0 {
		m.paySteps(used)
	}
}

// unsettled are the steps of the slice that have not been taken from the Group; none beyond its quota.
func (m *Machine) unsettled() int64 {
	used := m.grants.granted - int64(m.budget+m.rest)
	return min(used, m.payerAccount().Left(quota.Steps))
}

// paySteps is pay for steps, and counts those that the quotas allow.
func (m *Machine) paySteps(n int64) {
	if m.pay(quota.Steps, n) && m.counts != nil {
		m.counts.Add(m.grants.of, n)
	}
}

// grantSlice settles the last slice and grants the next one. It returns false if a quota of the fiber has
// been passed: it is about to be killed.
func (m *Machine) grantSlice() bool {
	s := &m.grants
	m.budget, m.rest = 0, int(m.left-eachSlice+m.full) // as before grant
	m.left = eachSlice
	m.settleSlice()
	m.halted = m.over != nil || m.mem.measure != nil
	s.of = m.sched.Current()
	s.payer = m.sched.Inspect().Group(s.of)
	s.granted = min(m.full, m.payerAccount().Left(quota.Steps))
	if m.payerAccount().Passed() != nil {
		s.granted = 0
	}
	m.budget = min(m.stretch, int(s.granted))
	m.rest = int(s.granted) - m.budget
	return m.payerAccount().Passed() == nil
}

func (m *Machine) payerAccount() *quota.Account {
	if m.grants.payer != nil {
		return m.grants.payer.Account()
	}
	return m.account
}

// pay takes what the fiber has used. If that passes a quota, the program ends, or what the quota is of.
func (m *Machine) pay(r quota.Resource, n int64) bool {
	take := m.account.Take
	if m.grants.payer != nil {
		take = m.grants.payer.Take
	}
	err := take(r, n)
	m.passed(err)
	return err == nil
}

// passed ends the program if a quota of it is what was passed.
func (m *Machine) passed(err error) {
	if err != nil && err == m.account.Passed() {
		m.end(err)
	}
}

// mayPrint reports whether the fiber has kept its quotas so far.
func (m *Machine) mayPrint() bool {
	if m.grants.each {
		used := m.grants.granted - int64(m.budget+m.rest)
		return m.payerAccount().Passed() == nil && used <= m.payerAccount().Left(quota.Steps)
	}
	return m.left+m.bias+int64(m.budget+m.rest) >= 0
}

// takeOutput takes output of the program from the quotas of the fiber that writes it.
func (m *Machine) takeOutput(n int64) bool {
	if !m.grants.each {
		return m.take(quota.Output, n)
	}
	kept := m.pay(quota.Output, n)
	if !kept {
		m.halted = true // until the next slice
		m.endSlice()
	}
	return kept
}

// endSlice ends the slice after the instruction that executes.
func (m *Machine) endSlice() {
	m.rest += m.budget + maxDebt + 1
	m.budget = -(maxDebt + 1)
}

// refusedBy ends the slice of a fiber that the scheduler has refused something because of a quota. The
// fiber is killed at the end of the slice.
func (m *Machine) refusedBy(quota *quota.Error) step {
	m.passed(quota)
	m.out = fiber.TimesliceExpired
	return leaveSlice
}
