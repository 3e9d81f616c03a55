package vm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// trial is the run of a method that describes the value of a panic that ends the program. It runs in the
// slices of the fiber, whose own code is over.
type trial struct {
	st   State
	left int  // how many steps it may take
	last bool // no other method is tried after it
}

// trialSteps limits how long a method may take to describe a panic.
const trialSteps = 1 << 22

// describe finds out the texts of the panics of a fiber, and then ends the program.
func (m *Machine) describe(st *State) step {
	for p := oldest(st.extra().panics); p != nil; p = oldest(st.more.panics) {
		if !m.describeOne(st, p) {
			st.waits = describing
			m.out = fiber.TimesliceExpired
			return leaveSlice
		}
		p.described = true
		p.text = indented(p.text[:min(len(p.text), maxShown)])
	}
	st.waits = none
	if call := st.more.invoked; call != nil {
		call.Err = m.panicked(st)
	} else {
		m.end(m.panicked(st))
	}
	m.out = fiber.Panic
	return leaveSlice
}

// maxShown is how much of the text of a panic is shown.
const maxShown = 1 << 16

// oldest is the first panic without a description.
func oldest(p *guestPanic) (first *guestPanic) {
	for ; p != nil; p = p.before {
		if !p.described {
			first = p
		}
	}
	return first
}

// indented indents the continuation lines of a text, so that none looks like a line of the
// report.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n\t") }

// describeOne sets the text of a panic. It returns false if the slice is over before.
func (m *Machine) describeOne(st *State, p *guestPanic) (done bool) {
	isError := p.v.T.Method(m.prog.ErrorMethod) != nil
	fn := p.v.T.Method(m.prog.StringMethod)
	if st.more.trial == nil {
		switch {
		case isError:
			m.tryPass(st, p.v)
		case fn != nil:
			m.try(st, fn, p.v)
		default:
			p.text = m.plainText(p.v)
			return true
		}
	}
	for {
		result, ok, over := m.resumeTrial(st.more.trial)
		if !over {
			return false
		}
		last := st.more.trial.last
		st.more.trial = nil
		switch {
		case ok && !last:
			passed := m.Passed(result)
			p.text, p.wraps = passed.Text, passed.Wraps
			return true
		case ok:
			p.text = value.Str(result)
			return true
		case last || fn == nil:
			p.text = m.plainText(p.v)
			return true
		}
		m.try(st, fn, p.v)
	}
}

// try begins a method without arguments that returns a string; it may not wait, defer or panic.
func (m *Machine) try(st *State, fn *code.Func, v value.Interface) {
	t := &trial{left: trialSteps, last: true}
	t.st.begin(fn)
	setReceiver(&t.st, fn, v)
	st.more.trial = t
}

// resumeTrial continues a trial until it is over or the slice is.
func (m *Machine) resumeTrial(t *trial) (result any, ok, over bool) {
	m.trial = true
	defer func() { m.trial = false }()
	m.wholeBudget()
	before := m.budget
	m.out = fiber.Done
	if t.st.waits != working || m.resumeOperation(&t.st) != leaveSlice {
		m.interpret(&t.st)
	}
	t.left -= before - m.budget - m.rest
	switch {
	case m.out == fiber.Done:
		return t.st.ref[0], true, true
	case m.out == fiber.TimesliceExpired && t.left > 0:
		return nil, false, false
	}
	return nil, false, true
}

// spoil aborts a trial.
func (m *Machine) spoil() step {
	m.out = fiber.Panic
	return leaveSlice
}

// plainText is the value of a panic as Go prints it, without its methods.
func (m *Machine) plainText(v value.Interface) string {
	n, r := v.Parts(v.T)
	named := v.T.Local != "" && v.T.Pkg != ""
	switch k := v.T.Kind; {
	case k == code.String && named:
		s := value.Str(r[0])
		return fmt.Sprintf("%s(%s)", v.T.Name, strconv.Quote(s[:min(len(s), maxShown)]))
	case k == code.String:
		return value.Str(r[0])
	case k.Integer() || k.Float() || k == code.Bool:
		text := m.printed(v.T, n, r)
		if named {
			return fmt.Sprintf("%s(%s)", v.T.Name, text)
		}
		return text
	}
	return fmt.Sprintf("(%s) %s", v.T.Name, address(r))
}
