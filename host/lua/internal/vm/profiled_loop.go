//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

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
	called   bool            // the instruction has called a Go function
	returned *glua.LFunction // which, if it is known
}

// point is where the thread was when it executed an instruction, which may have ended the call.
func (m *Meter) point(L *glua.LState, cf *frame, fn *glua.LFunction, at int, callee glua.LValue) Point {
	p := Point{frame: cf, fn: fn, pc: at + 1}
	if now := *m.direct.place.currentFrame(L); callee != nil && now != nil && now.Idx == cf.Idx {
		p.returned, _ = callee.(*glua.LFunction) // of Go: one of Lua would be current
		p.called = true
	}
	return p
}

// Append adds the calls from the point outwards, the innermost first, at most as many as the list has room
// for.
func (p Point) Append(to []Sampled) []Sampled {
	if p.called && len(to) < cap(to) {
		to = append(to, Sampled{Go: p.returned, Name: calledName(p.fn.Proto, p.pc)})
	}
	fn, pc := p.fn, p.pc
	for cf := p.frame; len(to) < cap(to); fn, pc = cf.Fn, cf.Pc {
		to = append(to, callOf(cf, fn, pc))
		if cf = cf.Parent; cf == nil {
			break
		}
	}
	return to
}

// callOf is a call of a function that has executed the instruction before pc.
func callOf(cf *frame, fn *glua.LFunction, pc int) Sampled {
	if fn.IsG {
		c := Sampled{Go: fn}
		if cf.Parent != nil && !cf.Parent.Fn.IsG {
			c.Name = calledName(cf.Parent.Fn.Proto, cf.Parent.Pc)
		}
		return c
	}
	c := Sampled{Code: fn.Proto}
	if pc > 0 && pc <= len(fn.Proto.DbgSourcePositions) {
		c.Line = fn.Proto.DbgSourcePositions[pc-1]
	}
	return c
}

// calledName is what the program calls the function that the instruction before pc calls; "" if that is not
// known.
func calledName(code *glua.FunctionProto, pc int) string {
	for _, call := range code.DbgCalls {
		if call.Pc == pc-1 && call.Name != "?" {
			return call.Name
		}
	}
	return ""
}

// Calls adds the calls that a thread is in, the innermost first, at most as many as the list has room for.
func (m *Meter) Calls(to []Sampled, L *glua.LState) []Sampled {
	cf := *m.direct.place.currentFrame(L)
	if cf == nil {
		return to
	}
	return Point{frame: cf, fn: cf.Fn, pc: cf.Pc}.Append(to)
}
