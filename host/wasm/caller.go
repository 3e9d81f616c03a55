package wasm

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

var (
	// ErrBusy: another fiber executes a call of the instance.
	ErrBusy = errors.New("wasm: the instance is in use by another fiber; give each fiber its own")
	// ErrTooDeep: the fiber has Config.MaxDepth nested calls already.
	ErrTooDeep = errors.New("wasm: calls between host and wasm are nested too deeply")
	// ErrNoFunction: the module exports no function with that name.
	ErrNoFunction = errors.New("wasm: no such exported function")
)

// Caller is one call of an exported function, for the host functions that it calls. It is valid
// until the call returns. It is also the context.Context of functions made with wazero's own
// builder; CallerOf finds it there. As a context it is the fiber's (stackful.Fiber.Context): with the
// values and the deadline of the run, ended when the fiber is cancelled or killed or ends. Any
// goroutine may use it as a context, also after the call.
type Caller struct {
	context.Context
	// Fiber executes the call. A host function waits with its methods.
	Fiber *stackful.Fiber
	// Module is the module instance whose code called the host function.
	Module api.Module

	module   *Module
	group    *scheduler.Group // of the fiber; nil without quotas
	start    *tank            // of the start function, when it has been preempted
	outer    *Caller          // the call of the host function that made this one; nil if none did
	instance *Instance
	function string
	host     string // the host function that executes; "" if none
	depth    int
}

// Instance is the instance whose function the host called; nil during its instantiation.
func (c *Caller) Instance() *Instance { return c.instance }

// Host is Config.Host of the Runtime.
func (c *Caller) Host() any { return c.module.runtime.config.Host }

// Caller returns the innermost call of a fiber; nil if it executes none.
func (r *Runtime) Caller(f *stackful.Fiber) *Caller { return r.calls[f.ID()] }

// HasMemory returns whether the code that called the host function has a memory. If it has none,
// Module.Memory is not nil, and panics when it is used.
func (c *Caller) HasMemory() bool { return c.module.sizes.Memory }

// Value lets CallerOf find the Caller in a context that derives from it.
func (c *Caller) Value(key any) any {
	if _, ok := key.(callerKey); ok {
		return c
	}
	return c.Context.Value(key)
}

type callerKey struct{}

// CallerOf returns the Caller of a host function's context; nil outside of a call.
func CallerOf(ctx context.Context) *Caller {
	if c, ok := ctx.(*Caller); ok {
		return c
	}
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// callerOf is CallerOf, but panics if a host function was called outside of a fiber.
func callerOf(ctx context.Context, function string) *Caller {
	c := CallerOf(ctx)
	if c == nil {
		panic(fmt.Sprintf("wasm: %s called outside of a fiber: call wasm by Instance.Call: %s", function, rule.Cite(rule.Executing)))
	}
	return c
}

// enter begins a call of a function of an instance. For the start function, i is nil: the instance
// does not exist yet. Every call of enter without an error is followed by one of leave.
func (r *Runtime) enter(f *stackful.Fiber, m *Module, i *Instance, function string) (*Caller, error) {
	if f.Runtime() != r.fibers {
		panic(fmt.Sprintf("wasm: %s called on a fiber of another runtime: %s", function, rule.Cite(rule.SameScheduler)))
	}
	if err := f.Checkpoint(); err != nil {
		return nil, err
	}
	c := &Caller{Context: f.Context(), Fiber: f, module: m, outer: r.calls[f.ID()], instance: i, function: function}
	if c.outer != nil {
		c.depth, c.group = c.outer.depth+1, c.outer.group
	} else {
		if c.group = r.fibers.Scheduler().Inspect().Group(f.ID()); c.group == r.uncounted {
			c.group = nil
		}
	}
	switch {
	case c.depth >= r.config.MaxDepth:
		return nil, ErrTooDeep
	case i != nil && i.user != nil && i.user.Fiber != f:
		return nil, ErrBusy
	case i != nil:
		i.user = c
		share(c.outer, c)
		i.tank.limit(c)
	}
	r.calls[f.ID()] = c
	r.show(f.ID(), function)
	return c, nil
}

func (c *Caller) leave() {
	if t := c.tank(); t != nil {
		t.take(c)
	}
	r, id := c.module.runtime, c.Fiber.ID()
	if c.outer == nil {
		delete(r.calls, id)
		r.show(id, "")
	} else {
		r.calls[id] = c.outer
		r.show(id, c.outer.function)
	}
	if c.instance != nil {
		share(c, c.outer)
		c.instance.released(c.outer)
	}
}

// share moves the rest of the time slice from the instance of one call to that of another: a slice
// belongs to the fiber.
func share(from, to *Caller) {
	if from != nil && to != nil && from.instance != nil && to.instance != nil && from.instance != to.instance {
		to.instance.tank.fuel.Set(from.instance.tank.fuel.Get())
		to.instance.tank.taken = from.instance.tank.taken
	}
}
