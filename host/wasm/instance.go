package wasm

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/stackful"
)

// Instance is an instance of a Module, with its memory. One fiber uses it at a time.
type Instance struct {
	of        *Module
	module    api.Module
	tank      tank
	memory    *memory // nil without quotas
	user      *Caller // the innermost call that uses the instance; nil if none does
	closed    bool
	functions map[string]*function
}

// function is an exported function with the stack it runs on, which serves one call at a time.
type function struct {
	api.Function
	running bool
}

// Of is the module of the instance.
func (i *Instance) Of() *Module { return i.of }

// Module is wazero's view of the instance: its memory and globals. Call its functions by Call only.
func (i *Instance) Module() api.Module { return i.module }

// Close frees the instance's memory, or does so at the end of the call that uses it.
func (i *Instance) Close() {
	if i.closed = true; i.user == nil {
		delete(i.of.runtime.instances, i)
		_ = i.module.Close(context.Background()) // an error of files that the guest has left open
		if i.memory != nil {
			i.memory.Free() // it may have no linear memory
		}
	}
}

// released ends a call that was made in the call outer. A call further out may use the instance
// too.
func (i *Instance) released(outer *Caller) {
	for outer != nil && outer.instance != i {
		outer = outer.outer
	}
	if i.user = outer; i.closed {
		i.Close()
	}
}

// Call calls an exported function on the fiber, which may be suspended meanwhile, and returns its
// results. Arguments and results are encoded as in wazero (api.EncodeI32 and the like). The error
// is a *CallError.
func (i *Instance) Call(f *stackful.Fiber, name string, args ...uint64) ([]uint64, error) {
	m := i.of
	c, err := m.runtime.enter(f, m, i, name)
	if err != nil {
		return nil, &CallError{Module: m.name, Function: name, Err: err}
	}
	defer c.leave()
	fn := i.function(name)
	if fn == nil {
		return nil, &CallError{Module: m.name, Function: name, Err: ErrNoFunction}
	}
	fn.running = true
	results, err := fn.run(c, args)
	if err != nil {
		delete(i.functions, name) // frees its stack, which may have become large
		return nil, m.callError(name, err)
	}
	fn.running = false
	return results, nil
}

// run executes the function: directly on the fiber, or, inside a host function, as a call from
// native code, which the scheduler knows as a trampoline.
func (fn *function) run(c *Caller, args []uint64) (results []uint64, err error) {
	if c.outer == nil {
		return fn.Call(c, args...)
	}
	_, err = c.Fiber.Call(func(*stackful.Fiber) (any, error) {
		results, err = fn.Call(c, args...)
		return nil, err
	})
	return results, err
}

// function returns an exported function with a stack that is not in use; nil if none has that name.
func (i *Instance) function(name string) *function {
	if fn := i.functions[name]; fn != nil && !fn.running {
		return fn
	}
	native := i.module.ExportedFunction(name)
	if native == nil {
		return nil
	}
	fn := &function{Function: native}
	i.functions[name] = fn
	return fn
}
