package vm

import (
	"runtime"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/jit"
)

// Ticks of the budget: a stretch of machine code or of the interpreter ends after so many at
// the latest, so that a stop of the world does not wait for it, and that what runs often is
// seen.
const (
	maxStretch  = 1 << 16
	sampleTicks = 32
)

// runMixed executes a fiber until its slice ends: in machine code where there is some, else in
// the interpreter. The budget is taken at the same instructions by both.
func (m *Machine) runMixed(st *State) {
	why := jit.Returned
	for {
		fr := st.top()
		c := m.jit.code(fr.fn)
		if c.text == 0 {
			if m.interpretFor(st, sampleTicks) {
				return
			}
			m.jit.sample(st.top())
			why = jit.Returned
			continue
		}
		if at, ok := c.entry(fr.pc); ok && why != jit.Interpret {
			if why = m.enterCode(st, c, at); why < jit.Exits {
				if m.endsWith(st, why) {
					return
				}
				continue
			}
		}
		why = jit.Returned
		if m.interpretFor(st, 0) { // until the next call or jump back, where it can be entered
			return
		}
		m.jit.sample(st.top())
	}
}

// endsWith does what machine code was left for, and tells whether the slice ends with it.
func (m *Machine) endsWith(st *State, why jit.Exit) bool {
	switch why {
	case jit.Cold:
		switch m.cold(st) {
		case leaveSlice:
			return true
		case called:
			m.budget--
			m.jit.called(st.top())
		}
	case jit.Called:
		m.jit.called(st.top())
	}
	if m.budget < 0 {
		m.out = fiber.TimesliceExpired
		return true
	}
	return false
}

// interpretFor interprets until ticks more than one are taken from the budget, or the slice
// ends.
func (m *Machine) interpretFor(st *State, ticks int) (ended bool) {
	rest := m.budget
	ticks = min(ticks, rest)
	m.budget = ticks
	m.interpret(st)
	ended = m.budget >= 0
	m.budget += rest - ticks
	return ended || m.budget < 0
}

// enterCode runs machine code. What it has done to the stacks is taken over.
func (m *Machine) enterCode(st *State, c *compiled, at uintptr) jit.Exit {
	ctx := &m.jit.ctx
	last := len(st.frames) - 1
	fr := &st.frames[last]
	ctx.Num, ctx.Ref, ctx.Frames = addressOf(st.num), addressOf(st.ref), addressOf(st.frames)
	ctx.NumEnd = ctx.Num + uintptr(len(st.num))*wordSize
	ctx.RefEnd = ctx.Ref + uintptr(len(st.ref))*refSize
	ctx.FramesEnd = ctx.Frames + uintptr(cap(st.frames))*frameSize
	ctx.N, ctx.R = ctx.Num+uintptr(fr.nb)*wordSize, ctx.Ref+uintptr(fr.rb)*refSize
	ctx.Frame = ctx.Frames + uintptr(last)*frameSize
	ctx.WritesRefs = c.writesRefs
	stretch := min(m.budget, maxStretch)
	ctx.Budget = int64(stretch)
	ctx.Enter(at)
	m.budget += int(ctx.Budget) - stretch
	st.frames = st.frames[:(ctx.Frame-ctx.Frames)/frameSize+1]
	runtime.KeepAlive(st)
	why := jit.Exit(ctx.Exit)
	m.jit.stats.count(why)
	return why
}

// code is what there is of a function.
func (j *mixed) code(fn *code.Func) *compiled { return &j.codes[fn.Index] }

// entry is where the code is entered before an instruction.
func (c *compiled) entry(pc int32) (at uintptr, ok bool) {
	if c.text == 0 || int(pc) >= len(c.entries) || c.entries[pc] < 0 {
		return 0, false
	}
	return c.text + uintptr(c.entries[pc]), true
}
