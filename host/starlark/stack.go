package starlark

import (
	"fmt"

	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
)

// Stack is the calls that a fiber of this Host is in, the innermost first. With values, the calls of Starlark functions
// have their variables. It is nil if the ID is of no living fiber, and empty if the fiber has not begun.
//
// The goroutine that runs the Host calls it, while no fiber executes or from a Go function of a fiber. It changes
// nothing that a program could notice, and calls none of its code.
func (h *Host) Stack(id fiber.RegularID, values bool) []frame.Frame {
	slot, alive := h.rt.Scheduler().Fiber(id)
	if !alive {
		return nil
	}
	if slot.Data == nil {
		return []frame.Frame{}
	}
	t, ok := slot.Data.Local.(*thread)
	if !ok {
		return []frame.Frame{}
	}
	return frame.List(t.star.CallStackDepth(), func(level int) frame.Frame { return t.frame(level, values) })
}

func (t *thread) frame(level int, values bool) (f frame.Frame) {
	call := t.star.CallFrame(level)
	f.Function = call.Name
	if file := call.Pos.Filename(); file != builtin {
		f.File, f.Line = file, int(call.Pos.Line)
	}
	fn, ok := t.star.DebugFrame(level).Callable().(*gostar.Function)
	if !values || !ok {
		return f
	}
	debug := t.star.DebugFrame(level)
	for i := range debug.NumLocals() {
		bound, v := debug.Local(i)
		if v != nil && bound.Name != "" {
			f.Locals = append(f.Locals, frame.Variable{Name: bound.Name, Value: preview(v)})
		}
	}
	for i := range fn.NumFreeVars() {
		if bound, v := fn.FreeVar(i); v != nil {
			f.Locals = append(f.Locals, frame.Variable{Name: bound.Name, Value: preview(v)})
		}
	}
	return f
}

// preview is short text of a value. What it has inside is left out: it could be large.
func preview(v gostar.Value) string {
	switch v := v.(type) {
	case gostar.String:
		return frame.Quote(string(v))
	case gostar.NoneType, gostar.Bool, gostar.Float:
		return frame.Clip(v.String())
	case gostar.Int:
		if n, small := v.Int64(); small {
			return fmt.Sprint(n)
		}
		return "a large int"
	case gostar.Sequence:
		return fmt.Sprintf("%s of %d", v.Type(), v.Len())
	}
	if v.Type() == "cell" {
		return "a variable that a function inside has, too" // the engine does not show it
	}
	return v.Type()
}

// site is the line that a fiber has reached, for reports.
func (h *Host) site(id fiber.RegularID) string {
	slot, alive := h.rt.Scheduler().Fiber(id)
	if !alive || slot.Data == nil {
		return ""
	}
	if t, ok := slot.Data.Local.(*thread); ok {
		return t.line()
	}
	return ""
}

// line is the innermost position in a file.
func (t *thread) line() string {
	if pos := t.caller(); pos.Line > 0 {
		return fmt.Sprintf("%s:%d", pos.Filename(), pos.Line)
	}
	return ""
}
