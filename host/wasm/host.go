package wasm

import (
	"context"
	"runtime/debug"

	"github.com/tetratelabs/wazero/api"
)

// Function is one of the host's, for guests to import. It runs on the fiber that called it.
type Function struct {
	Name            string
	Params, Results []api.ValueType
	// Do gets the parameters at the beginning of stack, and leaves the results there. It
	// may wait, and call into wasm. If it returns an error, or panics, the wasm code that
	// called it unwinds, and Call returns that in a *CallError.
	Do func(c *Caller, stack []uint64) error
}

// Define makes a module of host functions. The error is a *ModuleError: there is a module
// of that name already.
func (r *Runtime) Define(module string, functions ...Function) error {
	b := r.engine.NewHostModuleBuilder(module)
	for _, fn := range functions {
		b.NewFunctionBuilder().WithGoModuleFunction(fn.adapted(module), fn.Params, fn.Results).Export(fn.Name)
	}
	if _, err := b.Instantiate(context.Background()); err != nil {
		return &ModuleError{Module: module, Err: err}
	}
	return nil
}

// adapted is the function as wazero calls it. An error goes through the engine's frames as
// a panic; wazero keeps what it wraps.
func (fn Function) adapted(module string) api.GoModuleFunc {
	site := module + "." + fn.Name
	return func(ctx context.Context, m api.Module, stack []uint64) {
		c := callerOf(ctx, site)
		c.Module, c.host = m, site
		if err := fn.contained(c, site, stack); err != nil {
			panic(err)
		}
		c.host = ""
	}
}

func (fn Function) contained(c *Caller, site string, stack []uint64) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &HostPanic{Function: site, Value: v, Stack: debug.Stack()}
		}
	}()
	return fn.Do(c, stack)
}
