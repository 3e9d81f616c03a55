package minigo

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/vm"
)

// Call calls an exported function of package main, by its name, as a goroutine, and runs the program until it returns;
// other goroutines are killed then. The first Call initializes the package-level variables and calls the
// init functions, and not main. What the program has stored stays for the next Call.
//
//	Go                                  minigo
//	bool, string, numbers               the same; a number that does not fit is an error
//	[]byte, string                      string, []byte
//	slices, arrays                      slices, arrays
//	maps                                maps
//	structs                             structs, by the names of exported fields
//	pointers                            pointers; nil
//	time.Time, time.Duration            the same
//	error                               an error, which is the same error of Go when it comes back
//
// Values are copied. An error of the program is a *GuestError, in which errors.Is finds the errors of Go that
// it wraps. The results of Call are bool, float64, string, []any, map[string]any and error; those
// of CallInto have the types of the variables. Functions and channels do not pass. Errors: *bind.ValueError, and those of
// Run; a panic of the function is a *PanicError, after which the Host can be used.
func (h *Host) Call(ctx context.Context, function any, args ...any) ([]any, error) {
	results, err := h.call(ctx, function, args)
	if err != nil {
		return nil, err
	}
	return h.codec.Any(results)
}

// CallInto is Call with variables for the results: into has a pointer for each.
// bind.Call is shorter for one result.
func (h *Host) CallInto(ctx context.Context, into []any, function any, args ...any) error {
	results, err := h.call(ctx, function, args)
	if err != nil {
		return err
	}
	return h.codec.Results(results, into)
}

func (h *Host) call(ctx context.Context, function any, args []any) (results []bind.Value, err error) {
	call, err := h.invocation(function, args, &results)
	if err != nil {
		return nil, err
	}
	end, err := h.begin(ctx, "Call", true)
	if err != nil {
		return nil, err
	}
	defer end()
	defer h.endRunning()
	err = h.machine.Invoke(ctx, call)
	if call.Err != nil {
		err = call.Err
	}
	return results, err
}

// invocation converts the arguments; results is set when the function has returned.
func (h *Host) invocation(of any, args []any, results *[]bind.Value) (*vm.Invocation, error) {
	of, limits := withoutLimits(of)
	function, ok := of.(string)
	if !ok {
		return nil, &bind.ValueError{Place: "function", Reason: fmt.Sprintf("want the name of an exported function, got %T", of)}
	}
	x, ok := h.machine.Export(function)
	if !ok {
		return nil, &bind.ValueError{Place: "function", Reason: "the program has no exported function " + function}
	}
	if len(args) != len(x.Params) {
		return nil, &bind.ValueError{Place: "function", Reason: fmt.Sprintf("%s has %d parameters, got %d arguments", function, len(x.Params), len(args))}
	}
	values, err := h.codec.Arguments(args)
	if err != nil {
		return nil, err
	}
	call := &vm.Invocation{Export: x, Name: function, Limits: limits}
	call.Fill = func(n []uint64, r []any) error { return h.fill(x.Params, values, n, r) }
	call.Take = func(n []uint64, r []any, passed []vm.Passed) {
		if *results, err = h.take(x.Results, n, r, passed); err != nil {
			call.Err = err
		}
	}
	return call, nil
}

// fill puts arguments into registers.
func (h *Host) fill(params []*code.Type, values []bind.Value, n []uint64, r []any) error {
	e := &entering{Host: h}
	for i, t := range params {
		if err := e.value(t, values[i], n[:t.N], r[:t.R], 0); err != nil {
			err.Place = fmt.Sprintf("argument %d%s", i+1, err.Place)
			return err
		}
		n, r = n[t.N:], r[t.R:]
	}
	return nil
}

// take makes values of results.
func (h *Host) take(types []*code.Type, n []uint64, r []any, passed []vm.Passed) ([]bind.Value, error) {
	l := &leaving{Host: h, room: bind.MaxValues}
	values := make([]bind.Value, len(types))
	for i, t := range types {
		l.passed = vm.Passed{}
		if i < len(passed) {
			l.passed = passed[i]
		}
		v, err := l.value(t, n, r, 0)
		if err != nil {
			err.Place = fmt.Sprintf("result %d%s", i+1, err.Place)
			return nil, err
		}
		values[i], n, r = v, n[t.N:], r[t.R:]
	}
	return values, nil
}

// Close frees what Call and Serve have left for the next ones: the machine code, and the goroutines of
// blocking functions. A Host that only runs its program once, without such functions, need not be closed.
func (h *Host) Close() {
	if !h.control.Close() {
		return
	}
	h.machine.Close()
	h.closePool()
}
