package vm

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/panicstate"
)

// errGoexit is why a fiber ends without a return, a panic or a cancellation.
var errGoexit = errors.New("runtime.Goexit")

// guestPanic is a panic of the program, linked to the earlier ones.
type guestPanic struct {
	v         value.Interface
	before    *guestPanic // the one that was being handled when this one began
	recovered bool
	trace     []place
	text      string // of the value, once described
	wraps     []error
	described bool
}

// thrown is the value of a panic of the machine itself.
type thrown struct{ v value.Interface }

// deferCall registers a deferred call.
func (m *Machine) deferCall(st *State, x *code.Aux, n []uint64, r []any) step {
	d, ok := m.capture(x, n, r)
	if !ok && d.v.T == nil && x.I[2] == spawnMethod {
		return m.throw(st, m.faultOf(nilPointer, 0, 0))
	}
	m.sched.Unwind().Panics().Defer(len(st.frames)-1, m.keep(st, d))
	return next
}

// runDeferred begins a deferred call of the frame on top.
func (m *Machine) runDeferred(st *State, d *deferred) step {
	d.taken(st.extra())
	st.top().deferring = true
	if d.fn == nil {
		return m.throw(st, m.faultOf(nilPointer, 0, 0))
	}
	nb, rb := st.above()
	if !m.push(st, d.fn, nb, rb) {
		return m.overflow(st)
	}
	d.fill(st)
	return called
}

// retDefer returns from a frame that may have deferred calls: it runs the next one and comes back
// to this instruction until none is left.
func (m *Machine) retDefer(st *State) step {
	ps := m.sched.Unwind().Panics()
	fr := st.top()
	if fr.deferring {
		fr.deferring = false
		switch s, _ := ps.EndDefer(); s {
		case panicstate.Continue:
			return m.unwind(st)
		case panicstate.Stop:
			m.out = fiber.Panic
			return leaveSlice
		case panicstate.Recovered:
			m.forget(st)
		}
	}
	d, ok := ps.Return(len(st.frames) - 1)
	if !ok {
		return next
	}
	fr.pc-- // repeat this instruction when the call has returned
	return m.runDeferred(st, d.Call.(*deferred))
}

// forget drops the panics that are over.
func (m *Machine) forget(st *State) {
	more := st.extra()
	more.panics = nil
	if p, ok := m.sched.Unwind().Panics().Active(); ok {
		more.panics, _ = p.Value.(*guestPanic)
	}
}

// panicWith starts a panic of the program.
func (m *Machine) panicWith(st *State, v value.Interface) step {
	if v.T == nil {
		v = m.nilPanic()
	}
	return m.begin(st, v)
}

// throw starts a panic of the machine itself.
func (m *Machine) throw(st *State, t *thrown) step {
	if text := st.top().fn.NilReceiver; text != "" { // only the nil receiver can fail there
		t = m.plainError(text)
	}
	return m.begin(st, t.v)
}

func (m *Machine) begin(st *State, v value.Interface) step {
	if m.trial {
		return m.spoil()
	}
	more := st.extra()
	m.alloc(panicBytes)
	p := &guestPanic{v: v, before: more.panics, trace: m.trace(st)}
	more.panics = p
	m.sched.Unwind().BeginPanic(panicstate.Recoverable, p, p.site())
	return m.unwind(st)
}

// exit begins the end of the fiber: its deferred calls run.
func (m *Machine) exit(st *State, why error) step {
	m.sched.Unwind().BeginPanic(panicstate.Exit, why, "")
	return m.unwind(st)
}

// stopped handles a fiber whose wait the host has ended (Host.Scheduler). The instruction behind
// the wait must not run: nothing was sent, and nothing was received.
func (m *Machine) stopped(st *State, how fiber.Code) step {
	switch {
	case how != fiber.Cancelled:
		m.out = fiber.TimesliceExpired // it is killed at the end of the slice
		return leaveSlice
	case m.goexit && st.isMain(): // the rest of main does not run
		m.out = m.endByCause()
		return leaveSlice
	}
	return m.exit(st, m.sched.Unwind().Cause(m.sched.Current()))
}

// unwind runs the next deferred call of a panic, or ends the fiber.
func (m *Machine) unwind(st *State) step {
	d, ok := m.sched.Unwind().Panics().NextDefer()
	if !ok {
		return m.perish(st)
	}
	clear(st.frames[d.Frame+1:])
	st.frames = st.frames[:d.Frame+1]
	fr := st.top()
	fr.pc = int32(fr.fn.Epilogue) // after the deferred calls the frame returns
	return m.runDeferred(st, d.Call.(*deferred))
}

// perish is the end of a fiber by a panic that was not recovered.
func (m *Machine) perish(st *State) step {
	p, _ := m.sched.Unwind().Panics().Outcome()
	switch {
	case p.Kind != panicstate.Exit:
		return m.describe(st)
	case !st.isMain() || p.Value != errGoexit:
		m.out = fiber.Panic
		return leaveSlice
	}
	m.goexit = true
	st.frames = st.frames[:1]
	return m.forever(st)
}

// endByCause ends the program because main was cancelled after a Goexit, which is how its fiber
// ends: the cause would not be its error.
func (m *Machine) endByCause() fiber.OutcomeKind {
	m.end(m.sched.Unwind().Cause(m.main.ID()))
	return fiber.TimesliceExpired
}

func (m *Machine) recover(st *State, in *code.Instr, n []uint64, r []any) {
	n[in.A], n[in.A+1], r[in.B] = 0, 0, nil
	v, ok := m.sched.Unwind().Recover(st.calledAs())
	if !ok {
		return
	}
	p := v.(*guestPanic)
	p.recovered = true
	n[in.A], n[in.A+1], r[in.B] = uint64(p.v.T.ID), p.v.W, p.v.R
}

// calledAs is the frame that the top function was called as: the outermost of the wrappers around
// it. A deferred call of a wrapper is a deferred call of the function.
func (st *State) calledAs() int {
	i := len(st.frames) - 1
	for i > 0 && st.frames[i-1].fn.Wrapper {
		i--
	}
	return i
}

// fatal ends the program with an error that cannot be recovered.
func (m *Machine) fatal(st *State, text string) fiber.OutcomeKind {
	m.end(&Fatal{text, m.goroutine(), m.trace(st)})
	return fiber.TimesliceExpired
}
