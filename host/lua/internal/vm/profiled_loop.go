//go:build !purego

package vm

import (
	"iter"

	glua "github.com/yuin/gopher-lua"
)

// runProfiled is run, and asks the Sampler after each instruction. It is a loop of its own because a test
// in the other one would cost each program.
func (t *thread) runProfiled(L *glua.LState, base *frame) {
	m := t.meter
	current, execute, sampler := m.direct.place.currentFrame(L), m.direct.execute, m.profiled.sampler
	outer, frames := t.base, len(m.direct.place.callsOf(L).array)
	t.base = base
	t.nested++
	defer t.leave(L, outer)
	if cf := *current; cf.Idx >= frames-pushed {
		t.grow(L)
	}
	if t.nested > maxNested {
		overflow(L, *current, "C stack overflow")
	}
	if cf := *current; cf.Fn.IsG {
		m.direct.native(L, t.base)
		if sampler.Pending() {
			m.profiled.take(Point{frame: cf, fn: cf.Fn})
		}
		t.shrink(L, frames)
		return
	}
	for {
		cf := *current
		fn, at := cf.Fn, cf.Pc // the instruction may replace both
		inst := fn.Proto.Code[at]
		cf.Pc++
		if m.Left--; m.Left < 0 {
			m.expire()
		}
		var callee glua.LValue
		if int(inst>>opcodeShift) == glua.OP_CALL {
			callee = m.direct.place.registryOf(L).array[cf.LocalBase+a(inst)]
		}
		next := execute[inst>>opcodeShift](L, inst, t.base)
		if next == callLater {
			cf.Pc--
			m.Left++
			t.grow(L)
			continue
		}
		if sampler.Due() {
			m.profiled.take(m.point(L, cf, fn, at, callee))
		}
		if next != 0 {
			t.shrink(L, frames)
			return
		}
	}
}

// Point is the end of an instruction, or of a Go function, when a sample is due.
type Point struct {
	frame    *frame
	fn       *glua.LFunction // of the frame, which the next call may have already
	pc       int             // behind the instruction
	returned *glua.LFunction // the Go function that the instruction has called; nil if none
}

// point is where the thread was when it executed an instruction, which may have ended the call.
func (m *Meter) point(L *glua.LState, cf *frame, fn *glua.LFunction, at int, callee glua.LValue) Point {
	p := Point{frame: cf, fn: fn, pc: at + 1}
	if now := *m.direct.place.currentFrame(L); callee != nil && now != nil && now.Idx == cf.Idx {
		p.returned, _ = callee.(*glua.LFunction) // of Go: one of Lua would be current
	}
	return p
}

// Calls are the calls from the point outwards. Those of Lua functions have no registers.
func (p Point) Calls() iter.Seq[Call] {
	return func(yield func(Call) bool) {
		if p.returned != nil && !yield(Call{Function: p.returned, Instruction: -1}) {
			return
		}
		fn, pc := p.fn, p.pc
		for cf := p.frame; yield(Call{Function: fn, Instruction: pc - 1}); fn, pc = cf.Fn, cf.Pc {
			if cf = cf.Parent; cf == nil {
				return
			}
		}
	}
}
