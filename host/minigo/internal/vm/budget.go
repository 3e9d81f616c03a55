package vm

import (
	"errors"
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/quota"
)

// unlimited is how many steps a program has that has no quota of them.
const unlimited = math.MaxInt64 / 2

// meter counts the steps of a program: calls, backward jumps, and the work of operations.
type meter struct {
	budget  int   // what is left of the stretch; below 0, the slice is over
	rest    int   // what is left of the slice after the stretch
	left    int64 // how many steps the program may take beyond these
	taken   int64 // what left was when the account last learned of the steps
	full    int64 // what a slice is granted if enough are left
	stretch int   // length of the first stretch of a slice
	bias    int64 // see counts
}

// grant settles the slice that has ended, and begins the next one. It returns false if fewer steps than
// those of a slice are left; beginOtherwise grants these. So it is small enough to be inlined.
func (m *Machine) grant() (whole bool) {
	m.left += int64(m.budget+m.rest) - m.full
	m.budget, m.rest = m.stretch, int(m.full)-m.stretch
	return m.left >= 0
}

// grantLast grants the last steps of the program, or ends it if it has taken one too many.
func (m *Machine) grantLast() {
	m.left += m.full
	m.budget, m.rest = 0, 0
	if m.left < 0 {
		m.passSteps()
	}
	m.budget = min(m.stretch, int(m.left))
	m.rest = int(m.left) - m.budget
	m.left = 0
}

// passSteps ends the program because it has taken more steps than it may.
func (m *Machine) passSteps() {
	over := -m.left
	m.left = 0
	m.settle()
	m.take(quota.Steps, over)
}

// settle takes the steps since the last time from the account.
func (m *Machine) settle() {
	if m.grants.each {
		m.settleSlice()
		return
	}
	used := m.taken - (m.left + int64(m.budget+m.rest))
	used = min(used, m.account.Left(quota.Steps)) // one too many is taken when the slice has ended
	m.taken -= used
	m.take(quota.Steps, used)
}

// settleAll settles the last slice.
func (m *Machine) settleAll() {
	if m.grants.each {
		m.settleSlice()
		return
	}
	if m.bias != 0 {
		m.unbiased(m.settleAll)
		return
	}
	m.left += int64(m.budget + m.rest)
	if m.budget, m.rest = 0, 0; m.left < 0 {
		m.passSteps()
	}
}

// take takes what the program uses from its account. It tells whether the quota is kept, and ends the
// program if it is not.
func (m *Machine) take(r quota.Resource, n int64) bool {
	take := m.account.Take
	if m.group != nil {
		take = m.group.Take
	}
	err := take(r, n)
	if err != nil {
		m.end(err)
	}
	return err == nil
}

// refused raises a panic of the program for what the scheduler has refused. If that is a quota, the
// program ends, or the call whose quota it is.
func (m *Machine) refused(st *State, err error, thrown func(text string) *thrown) step {
	var passed *quota.Error
	if errors.As(err, &passed) {
		return m.refusedBy(passed)
	}
	return m.throw(st, thrown(err.Error()))
}

// maxDebt is how many steps a slice may take too many before it ends after an instruction that is neither
// a call nor a backward jump: a statement such as x = append(x, y) is not torn by a few steps.
const maxDebt = value.PieceBytes / value.StepBytes

// spend takes steps for work that is done, or about to be.
func (m *Machine) spend(steps int) {
	left := m.budget + m.rest - steps
	m.budget = min(m.budget, left)
	m.rest = left - m.budget
}

// charge takes the steps for work on so many bytes, of which there may be none.
func (m *Machine) charge(bytes int) {
	if bytes > 0 {
		m.spend(value.Steps(bytes))
	}
}

// smallValue is how many words and references are copied without a charge, as machine code does.
const smallValue = 24

// chargeValue takes the steps for copying a value whose size the program's text fixes.
func (m *Machine) chargeValue(n, r int) {
	if n+r > smallValue {
		m.charge(bytesOf(n, r))
	}
}

// The sizes of a word and of a reference.
const (
	wordBytes = 8
	refBytes  = 16
)

// bytesOf is the size of so many words and references.
func bytesOf(n, r int) int { return n*wordBytes + r*refBytes }

// expire ends the slice because the budget is used up.
func (m *Machine) expire(st *State) *State {
	m.out = fiber.TimesliceExpired
	return st
}
