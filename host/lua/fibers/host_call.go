package fibers

import (
	"context"
	"fmt"

	glua "github.com/yuin/gopher-lua"
)

// Call calls a Lua function in a fiber, so that it may wait, and runs the Host until it returns. fn is
// the name of a global function, a *Program, or a *glua.LFunction of this Host. The other fibers
// are killed then, as at the end of Run. A Call costs far less than a Run: its stack starts small.
//
//	Go argument                         Lua value
//	nil                                 nil
//	bool, string, []byte                boolean, string, string
//	integers and floats                 number; an integer that it cannot represent is an error
//	slices, arrays                      table with the keys 1 to n
//	maps                                table; the keys are strings, numbers and booleans
//	glua.LValue                         itself; a function or object must be of this Host
//
//	Lua result                          Go value
//	nil, boolean, number, string        nil, bool, float64, string
//	table with the keys 1 to n > 0      []any
//	table with only strings as keys     map[string]any, also if it is empty
//	any other table                     map[any]any with keys of type bool, float64 and string
//	function, object, thread            itself, a glua.LValue: pass it to Call and Start
//
// Named types pass as the type that they are made of. Tables are copied, without their metatables, up
// to 2^20 values nested 100 deep. Errors: *ValueError, and those of RunFile; the function is not
// called if an argument is refused. A Go function that Lua has called cannot use it: that calls Lua
// by LState.Call.
func (h *Host) Call(ctx context.Context, fn any, args ...any) ([]any, error) {
	defer h.begin(ctx, "Call")()
	copies, err := toLua(args)
	if err != nil {
		return nil, err
	}
	main, name, err := h.function(fn)
	if err != nil {
		return nil, err
	}
	h.clear()
	state := h.env.state
	results, err := h.runMain(ctx, name, state.Spawn(state.Base()), main, h.islands.ports.decode(copies))
	if err != nil {
		return nil, err
	}
	return fromLua(results)
}

// function is the Lua function that fn stands for, with a name for reports.
func (h *Host) function(fn any) (of *glua.LFunction, name string, err error) {
	switch fn := fn.(type) {
	case string:
		v := h.env.state.Base().G.Global.RawGetString(fn) // a metamethod could run Lua outside of a fiber
		if of, ok := v.(*glua.LFunction); ok {
			return of, fn, nil
		}
		return nil, "", notCalled("the global %q is %s, not a function", fn, word(v))
	case *glua.LFunction:
		if fn != nil {
			return fn, functionName(fn), nil
		}
	case *Program:
		if fn != nil {
			return fn.on(h.env.state), fn.chunk, nil
		}
	}
	return nil, "", notCalled("want the name of a global function, a *Program or a *glua.LFunction, got %T %v", fn, fn)
}

func notCalled(format string, args ...any) error { return notPassed(format, args...).in("function") }

// functionName is the place of a function's definition.
func functionName(fn *glua.LFunction) string {
	if fn.IsG {
		return "a Go function"
	}
	return fmt.Sprintf("%s:%d", fn.Proto.SourceName, fn.Proto.LineDefined)
}
