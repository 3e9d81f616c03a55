package panics

import (
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/spec/graph"
)

// Call is a deferred call.
type Call struct {
	// Frame registered it; it runs as the next one.
	Frame uint8
	// Generation: it can recover later panics than that one.
	Generation uint8
	// Unwound: a panic runs it, not a frame that returns.
	Unwound bool
}

// Panic is a panic that is not over.
type Panic struct {
	Kind       panicstate.Kind
	Generation uint8
	// Level is how many calls were running around what it unwinds.
	Level uint8
	// Recovered: it is over when the call returns that recovered it.
	Recovered bool
}

// Machine is the panics of one context.
type Machine struct {
	// Generation is how many there were.
	Generation uint8
	// Over: nothing is left to run.
	Over bool

	pending, running [MaxCalls]Call
	panics           [MaxPanics]Panic
	waits, runs, has uint8 // how many of each
}

// Pending is the calls that have not run, by frame, of one frame the oldest first. It
// shares memory with m, as Running and Panics do.
func (m *Machine) Pending() []Call { return m.pending[:m.waits] }

// Running is the calls that have not returned, the innermost last.
func (m *Machine) Running() []Call { return m.running[:m.runs] }

// Panics is those that are not over, the latest last.
func (m *Machine) Panics() []Panic { return m.panics[:m.has] }

// Last is the latest panic that is not over, nil if there is none.
func (m *Machine) Last() *Panic {
	if m.has == 0 {
		return nil
	}
	return &m.panics[m.has-1]
}

// Inner is the innermost running call, nil if none runs.
func (m *Machine) Inner() *Call {
	if m.runs == 0 {
		return nil
	}
	return &m.running[m.runs-1]
}

// Doomed: a Fatal panic is in force.
func (m *Machine) KillPending() bool { return m.Over && m.panics[0].Kind == panicstate.Fatal }

// Ended: a panic that is not Fatal has run everything and was not recovered.
func (m *Machine) Ended() bool { return m.Over && !m.KillPending() }

// Unwinding: a panic is in force and no code runs.
func (m *Machine) Unwinding() bool { return !m.Over && m.has > 0 && m.Last().Level == m.runs }

// Code: the guest's code runs, in a deferred call if one is running.
func (m *Machine) Code() bool { return !m.Over && !m.Unwinding() }

// within tells whether a frame belongs to the innermost running call.
func (m *Machine) within(frame uint8) bool { return m.runs == 0 || frame > m.Inner().Frame }

// due is the call that an unwind or a return of the innermost call runs next.
func (m *Machine) due() (c Call, ok bool) {
	if m.waits == 0 || !m.within(m.pending[m.waits-1].Frame) {
		return Call{}, false
	}
	return m.pending[m.waits-1], true
}

// State is one state of the whole machine: two states are the same iff they are ==.
type State struct {
	Machines [MaxMachines]Machine
	// Calling: a trampoline executes, by the second machine.
	Calling bool
	// Handed: a call has handed its panic to the first machine, and the native code that made the
	// call still runs.
	Handed bool
}

// Executing is the machine of the context that executes. It shares memory with s.
func (s *State) Executing() *Machine {
	if s.Calling {
		return &s.Machines[1]
	}
	return &s.Machines[0]
}

// Key is the text of a state, exactly as panic.pml built with -DLTS prints it.
func (c Config) Key(s *State) string { return string(c.AppendKey(nil, s)) }

// AppendKey appends the Key of s to dst: whether a trampoline executes, and whether one has
// handed a panic over; for every machine
// its generation and whether it is over, what is pending, what is running, the panics.
func (c Config) AppendKey(dst []byte, s *State) []byte {
	dst = append(dst, graph.Bit(s.Calling), graph.Bit(s.Handed))
	for i := range c.Machines {
		m := &s.Machines[i]
		dst = append(dst, ' ', graph.Digit(m.Generation), graph.Bit(m.Over), ' ')
		for _, d := range m.Pending() {
			dst = append(dst, graph.Digit(d.Frame), graph.Digit(d.Generation), ',')
		}
		dst = append(dst, '/')
		for _, d := range m.Running() {
			dst = append(dst, graph.Digit(d.Frame), graph.Digit(d.Generation), graph.Bit(d.Unwound), ',')
		}
		dst = append(dst, '/')
		for _, p := range m.Panics() {
			dst = append(dst, graph.Digit(uint8(p.Kind)), graph.Digit(p.Generation), graph.Digit(p.Level), graph.Bit(p.Recovered), ',')
		}
	}
	return dst
}
