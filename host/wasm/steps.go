package wasm

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/quota"
)

// tank is the fuel of an instance: the steps that its code may execute until it is preempted.
//
// While wasm code executes, its fuel is at most what is left of the quotas. The steps are taken when a
// host function is called, at the end of a slice and of a call: so when another fiber executes, all
// steps are taken, and together they never execute more than there is.
type tank struct {
	fuel  api.MutableGlobal
	taken int64 // the fuel when steps were last taken
	alone int   // the time slices of an explored run that have ended without a preemption
}

// slicesAlone is how many time slices an instance has in an explored run (scheduler.Config.Choose) before their
// ends are preemptions. Instances share no memory: what a preemption between two calls of the host shows, one at
// the second call shows too. So a long initialization is not a thousand decisions; and a loop without end is still
// preempted.
const slicesAlone = 5000

func newTank(m api.Module) tank {
	return tank{fuel: m.ExportedGlobal(meter.Fuel).(api.MutableGlobal)}
}

// fill sets the fuel to that of a time slice.
func (t *tank) fill(c *Caller) {
	t.fuel.Set(uint64(c.module.runtime.budget()))
	t.limit(c)
}

// limit lets wasm code execute no more than is left of the quotas.
func (t *tank) limit(c *Caller) {
	if c.group == nil {
		return
	}
	t.taken = int64(t.fuel.Get())
	if left := c.group.Account().Left(quota.Steps); t.taken > left {
		t.taken = left
		t.fuel.Set(uint64(left))
	}
}

// take takes what was executed. If that passes a quota the fiber is killed.
func (t *tank) take(c *Caller) {
	if c.group == nil {
		return
	}
	used := t.taken - int64(t.fuel.Get())
	t.taken -= used
	if left := c.group.Account().Left(quota.Steps); used > left {
		c.pay(left) // there is as much
		used -= left
	}
	c.pay(used) // a kill is found at the next poll, which follows
}

// pay takes steps, and counts those of the fiber that its quotas allow.
func (c *Caller) pay(steps int64) {
	if c.group.Take(quota.Steps, steps) == nil {
		c.module.runtime.steps.Add(c.Fiber.ID(), steps)
	}
}

// Steps is how many steps a fiber has executed, in the unit of package meter, when it has last left WebAssembly. counted is
// false if the fiber has ended, or belongs to no Group whose steps are counted.
func (r *Runtime) Steps(id fiber.RegularID) (steps uint64, counted bool) {
	s := r.fibers.Scheduler()
	if _, alive := s.Fiber(id); !alive {
		return 0, false
	}
	if g := s.Inspect().Group(id.ID()); g == nil || g == r.uncounted {
		return 0, false
	}
	return r.steps.Of(id.ID()), true
}

// tank is that of the instance whose code called the host; nil in a start function that has not
// executed anything.
func (c *Caller) tank() *tank {
	if c.instance != nil {
		return &c.instance.tank
	}
	return c.start
}

// HostCall executes a host function that is made with wazero's own builder, so that a quota of steps is
// exact although the function may wait, and reports name it. Functions of Define need none.
func (c *Caller) HostCall(name string, call func()) {
	c.host = name
	c.beginHost()
	defer c.endHost()
	call()
	c.host = ""
}

func (c *Caller) beginHost() {
	if t := c.tank(); t != nil {
		t.take(c)
	}
}

func (c *Caller) endHost() {
	if t := c.tank(); t != nil {
		t.limit(c)
	}
}

// Work charges the work of a host function, in the unit of steps: a unit for 256 bytes, or for an
// element. If the time slice is used up, the fiber is preempted. The error is an *stackful.Interrupt.
func (c *Caller) Work(steps int64) error {
	t := c.tank()
	if t == nil {
		return c.Fiber.Checkpoint()
	}
	t.fuel.Set(t.fuel.Get() - uint64(steps))
	if int64(t.fuel.Get()) < 0 {
		return t.preempt(c)
	}
	t.take(c)
	return nil
}

// preempt is called by wasm code that has used up its fuel.
func preempt(ctx context.Context, m api.Module, _ []uint64) {
	c := callerOf(ctx, meter.Preempt)
	if c.instance == nil && c.start == nil { // the start function: the instance does not exist yet
		start := newTank(m)
		c.start = &start
	}
	if err := c.tank().preempt(c); err != nil {
		panic(err)
	}
}

func (t *tank) preempt(c *Caller) error {
	t.take(c)
	end := c.Fiber.Yield
	if t.alone < slicesAlone && c.Fiber.Runtime().Scheduler().Choices().On() {
		t.alone++
		end = c.Fiber.Checkpoint
	}
	if err := end(); err != nil {
		return err
	}
	t.fill(c)
	return nil
}
