package vm

import (
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// Passed is an error of the program on its way to the host.
type Passed struct {
	Text  string
	Whole error   // the error is this one of the host
	Wraps []error // the errors of the host that it is or wraps
}

// The references of a host.Passed.
const (
	passedText = iota
	passedWhole
	passedWraps
)

// Passed reads a pointer to a host.Passed.
func (m *Machine) Passed(ref any) (p Passed) {
	o, ok := ref.(*value.Object)
	if !ok {
		return p
	}
	if p.Whole = lib.FailureOf(o.R[passedWhole]); p.Whole != nil {
		p.Text, p.Wraps = lib.FailureText(p.Whole), []error{p.Whole}
		return p
	}
	p.Text = strings.Clone(value.Str(o.R[passedText]))
	if list, ok := o.R[passedWraps].(*value.Object); ok {
		for _, f := range list.R[o.N[0]:][:o.N[1]] {
			if err := lib.FailureOf(f); err != nil {
				p.Wraps = append(p.Wraps, err)
			}
		}
	}
	return p
}

// tryPass begins to prepare an error for the host, as try.
func (m *Machine) tryPass(st *State, v value.Interface) {
	t := &trial{left: trialSteps}
	t.st.begin(m.prog.Host.Pass)
	t.st.num[0], t.st.num[1], t.st.ref[1] = uint64(v.T.ID), v.W, v.R
	st.more.trial = t
}

// passResult prepares an error among the results. It returns false if the slice is over before.
func (m *Machine) passResult(st *State, v value.Interface) bool {
	if v.T == nil || v.T.Method(m.prog.ErrorMethod) == nil {
		st.more.passed = append(st.more.passed, Passed{})
		return true
	}
	if st.more.trial == nil {
		m.tryPass(st, v)
	}
	result, ok, over := m.resumeTrial(st.more.trial)
	if !over {
		return false
	}
	passed := m.Passed(result)
	if st.more.trial = nil; !ok {
		passed.Text = m.plainText(v)
	}
	st.more.passed = append(st.more.passed, passed)
	return true
}

// failure is the value of a panic with an error of the host.
func (m *Machine) failure(err error) value.Interface {
	return value.Interface{T: m.prog.Host.Failure, Packed: value.Packed{R: lib.NewFailure(err)}}
}
