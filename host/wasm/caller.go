package wasm

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"

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

	runtime  *Runtime
	outer    *Caller // the call whose host function made this one
	instance *Instance
	name     string // of the module
	function string
	host     string // the host function that is running
	depth    int
}

// background is the context below a Caller's: one for all calls.
func background() context.Context { return context.Background() }

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
		panic(fmt.Sprintf("wasm: %s called outside of a fiber: call wasm by Instance.Call (contract, DESIGN §2.3)", function))
	}
	return c
}

func (c *Caller) target() string { return c.name + ": " + c.function }

// enter begins a call; leave ends it, however it ends.
func (r *Runtime) enter(f *stackful.Fiber, i *Instance, name, function string) (*Caller, error) {
	if f.Runtime() != r.fibers {
		panic(fmt.Sprintf("wasm: %s called on a fiber of another runtime (contract, DESIGN §2.3)", function))
	}
	if err := f.Checkpoint(); err != nil {
		return nil, err
	}
	outer := r.calls[f.ID()]
	c := &Caller{Context: background(), Fiber: f, runtime: r, outer: outer, instance: i, name: name, function: function}
	if outer != nil {
		if c.depth = outer.depth + 1; c.depth >= r.config.Nesting {
			return nil, ErrTooDeep
		}
	}
	if i != nil {
		if i.user != nil && i.user.Fiber != f {
			return nil, ErrBusy
		}
		c.instance, i.user = i, c
		c.share(i, outer)
	}
	r.calls[f.ID()] = c
	return c, nil
}

func (c *Caller) leave() {
	id := c.Fiber.ID()
	if c.outer == nil {
		delete(c.runtime.calls, id)
	} else {
		c.runtime.calls[id] = c.outer
	}
	if i := c.instance; i != nil && i.user == c {
		i.user = i.inUse(c.outer)
		c.share(c.outerInstance(), c)
	}
}

// share hands what is left of the slice to the instance that runs on.
func (c *Caller) share(to *Instance, from *Caller) {
	if to == nil || from == nil || from.instance == nil || from.instance == to {
		return
	}
	to.fuel.Set(from.instance.fuel.Get())
}

func (c *Caller) outerInstance() *Instance {
	if c.outer == nil {
		return nil
	}
	return c.outer.instance
}

// inUse is the call further out that uses the instance too, nil if there is none.
func (i *Instance) inUse(c *Caller) *Caller {
	for c != nil && c.instance != i {
		c = c.outer
	}
	return c
}
