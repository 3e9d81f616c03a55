package wasm

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/stackful"
)

var (
	// ErrBusy: another fiber is in a call of the instance.
	ErrBusy = errors.New("wasm: the instance is in use by another fiber; give each fiber its own")
	// ErrTooDeep: Config.Nesting calls of the fiber are nested.
	ErrTooDeep = errors.New("wasm: calls between host and wasm are nested too deeply")
	// ErrNoFunction: the module exports no function of the name.
	ErrNoFunction = errors.New("wasm: no such exported function")
)

// Caller is one call of an exported function, as the host functions see it that are called
// from within. It is good until that call returns. It is also the context.Context that
// functions made with wazero's own builder get: CallerOf finds it there.
type Caller struct {
	context.Context
	// Fiber runs the call: what waits, waits by it.
	Fiber *stackful.Fiber
	// Module is whose code called the host function.
	Module api.Module

	module   *Module
	outer    *Caller // the call whose host function made this one
	instance *Instance
	function string
	host     string // the host function that is running
	depth    int
}

// Instance is the one whose function the host called; nil while it is being made.
func (c *Caller) Instance() *Instance { return c.instance }

// Value finds the Caller itself in what derives from it.
func (c *Caller) Value(key any) any {
	if _, ok := key.(callerKey); ok {
		return c
	}
	return c.Context.Value(key)
}

type callerKey struct{}

// CallerOf is the call that a host function was made in. It is nil outside of any.
func CallerOf(ctx context.Context) *Caller {
	if c, ok := ctx.(*Caller); ok {
		return c
	}
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// callerOf refuses a host function that was called outside of a fiber.
func callerOf(ctx context.Context, function string) *Caller {
	c := CallerOf(ctx)
	if c == nil {
		panic(fmt.Sprintf("wasm: %s called outside of a fiber: call wasm by Instance.Call: %s", function, rule.Cite(rule.Executing)))
	}
	return c
}

func (c *Caller) target() string { return c.module.name + ": " + c.function }

// enter begins a call of a function of the instance, or of the start function of one that
// is being made, which is nil. leave ends it, however it ends.
func (r *Runtime) enter(f *stackful.Fiber, m *Module, i *Instance, function string) (*Caller, error) {
	if f.Runtime() != r.fibers {
		panic(fmt.Sprintf("wasm: %s called on a fiber of another runtime: %s", function, rule.Cite(rule.SameScheduler)))
	}
	if err := f.Checkpoint(); err != nil {
		return nil, err
	}
	c := &Caller{Context: context.Background(), Fiber: f, module: m, outer: r.calls[f.ID()], instance: i, function: function}
	if c.outer != nil {
		c.depth = c.outer.depth + 1
	}
	switch {
	case c.depth >= r.config.Nesting:
		return nil, ErrTooDeep
	case i != nil && i.user != nil && i.user.Fiber != f:
		return nil, ErrBusy
	case i != nil:
		i.user = c
		share(c.outer, c)
	}
	r.calls[f.ID()] = c
	return c, nil
}

func (c *Caller) leave() {
	calls := c.module.runtime.calls
	if c.outer == nil {
		delete(calls, c.Fiber.ID())
	} else {
		calls[c.Fiber.ID()] = c.outer
	}
	if c.instance != nil {
		share(c, c.outer)
		c.instance.released(c.outer)
	}
}

// share hands what is left of the slice from the instance of one call to that of another.
func share(from, to *Caller) {
	if from != nil && to != nil && from.instance != nil && to.instance != nil && from.instance != to.instance {
		to.instance.fuel.Set(from.instance.fuel.Get())
	}
}
