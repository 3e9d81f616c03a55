package vm

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// The interpreter has no place for a sample at a return, without which functions that neither call nor loop
// would have none, nor behind the instructions that take long. So the frames of a profiled program execute
// copies of the functions, in which a Sampled stands for these instructions, while a sample is due soon.

// chooseCode makes the top frame, and the one below, execute the copies of their functions, or the functions.
func (p *profiler) chooseCode(st *State) {
	last := len(st.frames) - 1
	for i := max(last-1, 0); i <= last; i++ {
		fr := &st.frames[i]
		if p.close {
			fr.fn = p.sampledCopy(fr.fn)
		} else if n := fr.fn.Index; n >= 0 && n < len(p.copies) && p.copies[n] == fr.fn {
			fr.fn = p.m.prog.Funcs[n]
		}
	}
}

// sampledCopy is the copy of a function. It is the function itself if that has none.
func (p *profiler) sampledCopy(fn *code.Func) *code.Func {
	i := fn.Index
	if i < 0 || i >= len(p.copies) || p.m.prog.Funcs[i] != fn {
		return fn
	}
	if p.copies[i] == nil {
		made := *fn
		made.Code = slices.Clone(fn.Code)
		for k := range made.Code {
			if in := &made.Code[k]; isSampled(in.Op) {
				*in = code.Instr{Op: code.Sampled}
			}
		}
		p.copies[i] = &made
	}
	return p.copies[i]
}

func isSampled(op code.Op) bool {
	switch op {
	case code.Ret, code.RetN:
		return true
	case code.Send, code.Recv, code.Yield, code.Halt, code.Watch:
		return false // the loop executes them itself, or they take no time
	}
	return op > code.Cold
}

// sampled executes a Sampled, the instruction before the PC of the top frame, and takes a sample if time has
// passed.
func (m *Machine) sampled(st *State) step {
	p, at := m.profiler, len(st.frames)-1
	fr := &st.frames[at]
	made, fn := fr.fn, m.prog.Funcs[fr.fn.Index]
	if in := &fn.Code[fr.pc-1]; in.Op == code.Ret || in.Op == code.RetN {
		return m.sampledReturn(st, in)
	}
	fr.fn = fn // an instruction that waits is finished later, and reads its operands then
	s := m.cold(st)
	if at >= len(st.frames) || st.frames[at].fn != fn {
		return s
	}
	if p.due() {
		p.take(st.frames[:at+1], s == leaveSlice) // a native function may go on later
	}
	if s == next || s == called {
		st.frames[at].fn = made
	}
	return s
}

func (m *Machine) sampledReturn(st *State, in *code.Instr) step {
	if m.profiler.due() {
		m.profiler.take(st.frames, false)
	}
	if in.Op == code.RetN {
		n, _ := st.window()
		n[0] = n[in.A]
	}
	last := len(st.frames) - 1
	if st.frames = st.frames[:last]; last == 0 {
		m.out = fiber.Done
		return leaveSlice
	}
	m.profiler.chooseCode(st)
	return next
}
