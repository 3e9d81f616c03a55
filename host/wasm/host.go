package wasm

import (
	"context"
	"runtime/debug"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Function is a host function, which guests import. It executes on the fiber that calls it.
type Function struct {
	Name            string
	Params, Results []api.ValueType
	// Do finds the parameters at the beginning of stack, and leaves the results there. It may
	// wait, and call wasm functions. If it returns an error or panics, the wasm code that
	// called it unwinds, and Call returns the error in a *CallError.
	Do func(c *Caller, stack []uint64) error
}

// Define makes a module of host functions. The error is a *ModuleError: a module with that name
// exists.
func (r *Runtime) Define(module string, functions ...Function) error {
	return Define(r.Engine(), module, functions...)
}

// Define is Runtime.Define for Config.Modules.
func Define(engine wazero.Runtime, module string, functions ...Function) error {
	b := engine.NewHostModuleBuilder(module)
	for _, fn := range functions {
		b.NewFunctionBuilder().WithGoModuleFunction(fn.adapted(module), fn.Params, fn.Results).Export(fn.Name)
	}
	if _, err := b.Instantiate(context.Background()); err != nil {
		return &ModuleError{Module: module, Err: err}
	}
	return nil
}

// adapted is the function in the form that wazero calls. An error passes the engine's frames as a
// panic; wazero wraps it.
func (fn Function) adapted(module string) api.GoModuleFunc {
	site := module + "." + fn.Name
	return func(ctx context.Context, m api.Module, stack []uint64) {
		c := callerOf(ctx, site)
		c.Module, c.host = m, site
		c.beginHost()
		if err := fn.contained(c, site, stack); err != nil {
			panic(err)
		}
		c.endHost()
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
