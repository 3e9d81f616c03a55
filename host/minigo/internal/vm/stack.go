package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	hostframe "github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// Stack is the calls that a fiber is in, the innermost first; nil if it has ended. A native function that it is in is
// the first of them. With values, calls have the variables of the program, if they were kept.
func (m *Machine) Stack(id fiber.RegularID, values bool) []hostframe.Frame {
	f, alive := m.sched.Fiber(id)
	if !alive {
		return nil
	}
	st := &f.Data
	shown := st.shown(m.prog.Init)
	first := 0
	native, inside := "", st.waits != none || m.sched.Current() == id.ID()
	if inside {
		native, inside = m.nativeOf(st)
	}
	if inside {
		first = 1
	}
	return hostframe.List(first+len(shown), func(level int) hostframe.Frame {
		if level < first {
			return hostframe.Frame{Function: native}
		}
		return m.frame(st, shown[level-first], values)
	})
}

// Function is the innermost function of the program that a fiber is in; "" if it has ended.
func (m *Machine) Function(id fiber.RegularID) string {
	f, alive := m.sched.Fiber(id)
	if !alive {
		return ""
	}
	for i := len(f.Data.frames) - 1; i >= 0; i-- {
		switch fn := f.Data.frames[i].fn; {
		case fn == m.prog.Init:
			return mainFunction
		case !fn.Wrapper && fn.File != "": // those of Go of the host have none
			return fn.Name
		}
	}
	return ""
}

// mainFunction is what Init, which initializes the program and calls it, is shown as.
const mainFunction = "main.main"

// shown are the numbers of the frames that a stack has: those of functions of the program and its library. The
// outermost one stands for the runtime, which calls main.
func (st *State) shown(runtime *code.Func) (list []int32) {
	for i := len(st.frames) - 1; i >= 0; i-- {
		fn := st.frames[i].fn
		if fn.Wrapper || i == 0 && len(st.frames) > 1 && fn == runtime {
			continue
		}
		list = append(list, int32(i))
	}
	return list
}

// nativeOf is the native function that the instruction of a fiber calls.
func (m *Machine) nativeOf(st *State) (name string, ok bool) {
	if len(st.frames) == 0 {
		return "", false
	}
	fr := st.top()
	if at := int(fr.pc) - 1; at >= 0 && at < len(fr.fn.Code) && fr.fn.Code[at].Op == code.Native {
		return m.prog.Natives[fr.fn.Code[at].D], true
	}
	return "", false
}

func (m *Machine) frame(st *State, i int32, values bool) hostframe.Frame {
	fr := &st.frames[i]
	at := max(int(fr.pc)-1, 0) // 0 if it has not begun
	f := hostframe.Frame{Function: fr.fn.Name, File: fr.fn.File, Line: int(fr.fn.Position(at))}
	if values && m.prog.Variables != nil {
		f.Locals = m.variables(st, fr, int32(at))
	}
	return f
}

// variables are those in scope at an instruction, each name once: the innermost of that name.
func (m *Machine) variables(st *State, fr *frame, at int32) (list []hostframe.Variable) {
	all := m.prog.Variables[fr.fn.Index]
	names := map[string]int{}
	n, r := window(st.num, fr.nb, fr.fn.N), window(st.ref, fr.rb, fr.fn.R)
	for i := range all {
		v := &all[i]
		if at < v.From || v.To >= 0 && at >= v.To {
			continue
		}
		shown := hostframe.Variable{Name: v.Name, Value: m.variable(v, n, r)}
		if known, ok := names[v.Name]; ok {
			list[known] = shown
			continue
		}
		names[v.Name] = len(list)
		list = append(list, shown)
	}
	return list
}
