package wasm

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/stackful"
)

// Instance is a module with memory. One fiber uses it at a time.
type Instance struct {
	of        *Module
	module    api.Module
	fuel      api.MutableGlobal
	user      *Caller // the innermost call that it is in
	closed    bool
	functions map[string]*function
}

// function is an exported one with the stack it runs on, which serves one call at a time.
type function struct {
	api.Function
	running bool
}

// Of is the module that it is an instance of.
func (i *Instance) Of() *Module { return i.of }

// Module is wazero's own view of it: its memory and globals. Its functions are to be
// called by Call only.
func (i *Instance) Module() api.Module { return i.module }

// Close frees the instance's memory; if it is in a call, when that has ended.
func (i *Instance) Close() {
	if i.closed = true; i.user == nil {
		_ = i.module.Close(context.Background()) // that of files the guest left open
	}
}

// released is told when a call has ended that was made in the call outer: one further out
// may use the instance too.
func (i *Instance) released(outer *Caller) {
	for outer != nil && outer.instance != i {
		outer = outer.outer
	}
	if i.user = outer; i.closed {
		i.Close()
	}
}

// Call calls an exported function on the fiber, which may be put aside meanwhile, and
// returns its results. Numbers are encoded as wazero does (api.EncodeI32 and its like).
// The error is a *CallError.
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
		delete(i.functions, name) // with a stack that may have grown large
		return nil, m.callError(name, err)
	}
	fn.running = false
	return results, nil
}

// run runs the function: as the fiber itself, or as a call of native code that the fiber is
// in, which the scheduler knows as a trampoline.
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

// function is the one of that name, with a stack that nobody runs on.
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
