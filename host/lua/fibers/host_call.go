package fibers

import (
	"context"
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
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
// by LState.Call. Limited gives the call quotas of its own.
func (h *Host) Call(ctx context.Context, fn any, args ...any) ([]any, error) {
	end, err := h.begin(ctx, "Call")
	if err != nil {
		return nil, err
	}
	defer end()
	results, err := h.call(ctx, fn, args)
	if err != nil {
		return nil, err
	}
	return h.env.codec.Any(results)
}

// CallInto is Call with variables for the results: into has a pointer for each. bind.Call is shorter for
// one result. An absent result is nil; a result that does not fit its variable is a *bind.ValueError,
// and so is a result too many.
func (h *Host) CallInto(ctx context.Context, into []any, fn any, args ...any) error {
	end, err := h.begin(ctx, "CallInto")
	if err != nil {
		return err
	}
	defer end()
	results, err := h.call(ctx, fn, args)
	if err != nil {
		return err
	}
	return h.env.codec.Results(results, into)
}

func (h *Host) call(ctx context.Context, fn any, args []any) (results []bind.Value, err error) {
	copies, err := h.env.codec.Arguments(args)
	if err != nil {
		return nil, err
	}
	start := func() (main mainCall, err error) {
		fn, limits := withoutLimits(fn)
		main.limits = limits
		if main.fn, main.name, err = h.function(fn); err == nil {
			main.thread, main.args = h.env.state.Spawn(h.env.state.Base()), h.env.luaAll(copies)
		}
		return main, err
	}
	err = h.runMain(ctx, start, func(values []glua.LValue) (err error) {
		results = valuesOf(values)
		if h.shared != nil { // other fibers may change them meanwhile
			results, err = h.env.codec.Detach(results)
		}
		return err
	})
	return results, err
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

func notCalled(format string, args ...any) error {
	return &bind.ValueError{Place: "function", Reason: fmt.Sprintf(format, args...)}
}

// functionName is the place of a function's definition.
func functionName(fn *glua.LFunction) string {
	if fn.IsG {
		return "a Go function"
	}
	return fmt.Sprintf("%s:%d", fn.Proto.SourceName, fn.Proto.LineDefined)
}
