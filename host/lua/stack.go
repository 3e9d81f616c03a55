package lua

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

// Stack is the calls that the thread is in, the innermost first: those of the innermost coroutine, then those
// of the coroutine or main function that has resumed it, and so on; nil if it does not run. With values, Lua
// functions have their local variables, what "..." is, and the variables around them that they use; a build with
// the tag purego has none. It calls no Lua code and charges nothing. The cost is that of passing over all calls,
// and of the text of those that a Frame is made for.
func (t *Thread) Stack(values bool) []frame.Frame {
	calls := slices.Collect(t.calls())
	return frame.List(len(calls), func(level int) frame.Frame { return t.state.frame(calls[level], values) })
}

// FrameOf is the Frame of a call that has not begun, with its arguments if values are wanted.
func (s *State) FrameOf(fn *glua.LFunction, args []glua.LValue, values bool) frame.Frame {
	c := call{Call: vm.Call{Function: fn, Instruction: -1}}
	if !fn.IsG {
		c.Registers = make([]glua.LValue, fn.Proto.NumParameters)
		if given := copy(c.Registers, args); vm.IsVariadic(fn.Proto) {
			c.Varargs = args[given:]
		}
	}
	return s.frame(c, values)
}

// Function is the name of the innermost Lua function that the thread is in, as Stack has it; "" if it runs none. Its
// cost does not depend on how deep the stack is.
func (t *Thread) Function() string {
	for c := range t.calls() {
		if name := c.function(); name != "" {
			return name
		}
	}
	return ""
}

// FunctionOf is the name of a function that has not been called, as FrameOf has it; "" if it is none of Lua.
func FunctionOf(fn *glua.LFunction) string { return call{Call: vm.Call{Function: fn}}.function() }

// call is a call with what its caller says about it. One without a Function stands for the tail calls that led to
// the call before it.
type call struct {
	vm.Call
	line   int // if the instruction is not known
	caller *vm.Call
}

// calls are those of all routines of the thread, the innermost first.
func (t *Thread) calls() iter.Seq[call] {
	return func(yield func(call) bool) {
		for r := t.top; r != nil && r.L != nil; r = r.resumer {
			for c := range t.state.callsOf(r.L) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// callsOf are the calls of an LState.
func (s *State) callsOf(L *glua.LState) iter.Seq[call] {
	if s.guard == nil {
		return portableCalls(L)
	}
	return withCallers(s.guard.Calls(L))
}

// withCallers are calls, the innermost first, each with the next one.
func withCallers(calls iter.Seq[vm.Call]) iter.Seq[call] {
	return func(yield func(call) bool) {
		var inner *vm.Call
		for c := range calls {
			if inner != nil && !(call{Call: *inner, caller: &c}).yield(yield) {
				return
			}
			inner = &c
		}
		if inner != nil {
			_ = (call{Call: *inner}).yield(yield)
		}
	}
}

func (c call) yield(to func(call) bool) bool {
	return to(c) && (c.TailCalls == 0 || to(call{}))
}

// portableCalls are the calls as gopher-lua tells them, without variables. For the level of a tail call
// gopher-lua returns the outermost call again.
func portableCalls(L *glua.LState) iter.Seq[call] {
	return func(yield func(call) bool) {
		for level := range longTrace {
			at, ok := L.GetStack(level)
			if !ok {
				return
			}
			fn, err := L.GetInfo("lf", at, glua.LNil)
			of, ok := fn.(*glua.LFunction)
			if err != nil || !ok || !yield(call{Call: vm.Call{Function: of, Instruction: -1}, line: max(at.CurrentLine, 0)}) {
				return
			}
		}
	}
}

// place is the line that the call has reached; 0 if it is not known.
func (c call) place() int {
	if c.Function == nil {
		return 0
	}
	if line := c.Line(); line > 0 {
		return line
	}
	return c.line
}

func (s *State) frame(c call, values bool) frame.Frame {
	if c.Function == nil {
		return frame.Frame{Function: "(tail call)"}
	}
	f := frame.Frame{Function: c.name(), Line: c.place()}
	if c.Function.IsG {
		return f
	}
	f.File = fileOf(c.Function.Proto)
	if f.Line == 0 {
		f.Line = c.Function.Proto.LineDefined
	}
	if values {
		f.Locals = s.variables(c)
	}
	return f
}

// name is what the caller calls the function, or the place of its definition.
func (c call) name() string {
	if c.caller != nil && !c.caller.Function.IsG && c.TailCalls == 0 {
		known := c.caller.Function.Proto.DbgCalls
		i := sort.Search(len(known), func(i int) bool { return known[i].Pc >= c.caller.Instruction })
		if i < len(known) && known[i].Pc == c.caller.Instruction && known[i].Name != "?" {
			return frame.Clip(known[i].Name)
		}
	}
	if !c.Function.IsG && c.Function.Proto.LineDefined == 0 {
		return "main chunk"
	}
	return definition(c.Function)
}

// function is the name, if it is a function of Lua.
func (c call) function() string {
	if c.Function == nil || c.Function.IsG {
		return ""
	}
	return c.name()
}

// Lines are the positions of Lua functions that the running thread executes, the innermost first, at most a
// hundred.
func (t *Thread) Lines() (lines []string) {
	for c := range t.calls() {
		if c.place() == 0 {
			continue
		}
		line := fmt.Sprintf("%s:%d", c.Function.Proto.SourceName, c.place())
		if defined := c.Function.Proto.LineDefined; defined > 0 {
			line += fmt.Sprintf(" in function <%s:%d>", c.Function.Proto.SourceName, defined)
		}
		if lines = append(lines, line); len(lines) == longTrace {
			break
		}
	}
	return lines
}

// Where is the position, file:line, that the program has reached in the innermost Lua function; "" if it
// does not run. Reports use it for a fiber that is suspended.
func (t *Thread) Where() string {
	for c := range t.calls() {
		if line := c.place(); line > 0 {
			return fmt.Sprintf("%s:%d", c.Function.Proto.SourceName, line)
		}
	}
	return ""
}
