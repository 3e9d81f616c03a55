package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/jit"
)

// Ticks of the budget: a stretch of machine code or of the interpreter ends after at most so
// many, so that it does not delay stop-the-world and hot functions are sampled.
const (
	maxStretch  = 1 << 16
	sampleTicks = 32
)

// runMixed executes a fiber until its slice ends, and others after it, as interpret does: in
// machine code where it exists, else in the interpreter. Both decrement the budget at the same
// instructions.
func (m *Machine) runMixed(st *State) *State {
	why := jit.Returned
	m.wholeBudget()
	for {
		fr := st.top()
		c := m.jit.code(fr.fn)
		ticks := sampleTicks
		if at := c.entry(fr.pc); at != 0 && why != jit.Interpret {
			var s step
			if why, s = m.enterCode(st, c, at); s == parked {
				if st, s = m.turn(); st != nil {
					m.wholeBudget()
				}
				why = jit.Returned
			}
			if s == leaveSlice {
				return st
			}
			ticked := why == jit.Expired || why == jit.Called || s == called
			if m.budget < -maxDebt || m.budget < 0 && ticked {
				return m.expire(st)
			}
			if why != jit.Refused {
				continue
			}
		} else if c.text != 0 {
			ticks = 0 // until the next call or backward jump, where code can be entered
		}
		why = jit.Returned
		m.rest = m.budget - min(ticks, m.budget)
		m.budget -= m.rest
		if st = m.interpret(st); st == nil || m.budget >= 0 {
			return st
		}
		if m.wholeBudget(); m.budget < 0 || m.halted {
			return st
		}
		m.jit.sample(st.top())
	}
}

// wholeBudget makes the rest of the slice one stretch.
func (m *Machine) wholeBudget() { m.budget, m.rest = m.budget+m.rest, 0 }

// putOff ends the stretch of a fiber before it begins if the function has machine code to enter.
func (m *Machine) putOff(fn *code.Func) bool {
	if i := uint(fn.Index); i >= uint(len(m.entries)) || m.entries[i] == 0 {
		return false
	}
	m.rest += m.budget + 1
	m.budget = -1
	return true
}

// enterCode runs machine code and the operations it exits for, until it exits for another reason.
// An operation that changes the frames ends it too: the windows' addresses are valid only until
// then.
func (m *Machine) enterCode(st *State, c *compiled, at uintptr) (jit.Exit, step) {
	ctx := &m.jit.ctx
	m.jit.prepare(st)
	stretch := min(m.budget, maxStretch)
	ctx.Budget = int64(stretch)
	why, s := jit.Cold, next
	for at != 0 {
		ctx.WritesRefs = c.writesRefs
		ctx.Enter(at)
		why = jit.Exit(ctx.Exit)
		m.jit.exits[why]++
		st.frames = st.frames[:(ctx.Frame-ctx.Frames)/frameSize+1]
		if why != jit.Cold {
			break
		}
		m.budget += int(ctx.Budget) - stretch
		s = m.cold(st)
		stretch = min(m.budget, maxStretch) // after what the operation has charged
		ctx.Budget = int64(stretch)
		if s != next || m.budget < -maxDebt {
			break
		}
		fr := st.top()
		c = m.jit.code(fr.fn)
		at = c.entry(fr.pc)
	}
	m.budget += int(ctx.Budget) - stretch
	if s == called {
		m.budget--
	}
	if s == called || why == jit.Called {
		m.jit.called(st.top())
	}
	return why, s
}

// prepare sets the addresses of a fiber's stacks for machine code.
func (j *mixed) prepare(st *State) {
	last := len(st.frames) - 1
	fr, ctx := &st.frames[last], &j.ctx
	num, ref, frames := addressOf(st.num), addressOf(st.ref), addressOf(st.frames)
	ctx.NumEnd = num + uintptr(len(st.num))*wordSize
	ctx.RefEnd = ref + uintptr(len(st.ref))*refSize
	ctx.Frames, ctx.FramesEnd = frames, frames+uintptr(cap(st.frames))*frameSize
	ctx.N, ctx.R = num+uintptr(fr.nb)*wordSize, ref+uintptr(fr.rb)*refSize
	ctx.Frame = frames + uintptr(last)*frameSize
}

// code is the machine code of a function, nil if it has none.
func (j *mixed) code(fn *code.Func) *compiled { return &j.codes[fn.Index] }

// entry is the code address of an instruction; 0 if code cannot be entered there.
func (c *compiled) entry(pc int32) uintptr {
	if int(pc) >= len(c.entries) || c.entries[pc] < 0 {
		return 0
	}
	return c.text + uintptr(c.entries[pc])
}
