package stackful

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/gotools"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// Backing is what a fiber's call stack is made of.
type Backing = stack.Backing

const (
	// Coroutine is the default: the cheapest switch. In a program built with -race Go's
	// runtime (1.26) keeps up to a quarter of a megabyte of each that has ended; where
	// stacks come and go for long, use Goroutine there.
	Coroutine = stack.Coroutine
	// Goroutine minds neither OS threads nor foreign frames, at several times the
	// cost: for schedulers that are entered from C callbacks.
	Goroutine = stack.Goroutine
)

// keepStacks is how many goroutines of ended fibers wait for new ones.
const keepStacks = 256

// Config is what a Runtime is made with; the zero Config is usable.
type Config struct {
	scheduler.Config
	Backing Backing
	// Nesting makes calls (Fiber.Call) pump on the caller's stack instead of suspending
	// it: for native code that must not be left while it is in a callback.
	Nesting bool
	// OnPanic is what a panic that ends a fiber does beyond it: with panicstate.FailRun
	// it ends Run, which returns it.
	OnPanic panicstate.Policy
}

// Runtime is a scheduler whose fibers are Go functions. One goroutine owns it, the
// one that calls Run or Close; fibers run on it too. Others use Start and the
// scheduler's Inbox.
type Runtime struct {
	sched   *scheduler.Scheduler[*Fiber]
	stacks  *stack.Pool
	calls   *trampoline.Pool[*Fiber]
	backing Backing
	options scheduler.Options            // of every fiber
	way     trampoline.Way               // of every call
	woken   []fiber.Wakeup               // empty; lent to an object that decides about several
	where   func(fiber.RegularID) string // the scheduler's Site
	// explored says that Config.Choose is set: calls that others can notice are points of preemption.
	explored bool
	shown    *gotools.Slices // nil without Config.GoTools
}

// New makes a Runtime. Close it to be sure that no goroutine is left.
func New(cfg Config) *Runtime {
	rt := &Runtime{
		stacks:   stack.NewPool(cfg.Backing, keepStacks),
		backing:  cfg.Backing,
		options:  scheduler.Options{Frames: true, Nests: cfg.Nesting, OnPanic: cfg.OnPanic},
		way:      trampoline.Parking,
		explored: cfg.Choose != nil,
	}
	if cfg.Nesting {
		rt.way = trampoline.Nesting
	}
	if cfg.Site == nil {
		cfg.Site = rt.site
	}
	rt.where = cfg.Site
	rt.sched = scheduler.New[*Fiber](cfg.Config)
	if rt.explored {
		rt.sched.Choices().Declare()
	}
	if cfg.GoTools {
		rt.shown = gotools.New(rt.sched.Inspect().Name)
	}
	rt.stacks.Follow(rt.sched)
	rt.calls = trampoline.New(rt.sched, rt)
	return rt
}

// Scheduler is what the fibers run on: for hosts that need more than this package's
// sugar. The rules of its contract apply.
func (rt *Runtime) Scheduler() *scheduler.Scheduler[*Fiber] { return rt.sched }

// Func is the body of a fiber. What it returns is the fiber's result.
type Func func(f *Fiber) (any, error)

// Go spawns a fiber: from a fiber, or from the owner between slices. Errors:
// scheduler.ErrTooManyFibers, scheduler.ErrStopped, a *quota.Error, and the *Interrupt of a fiber that
// was killed, also by passing a quota with this fiber: it spawns nothing any more.
func (rt *Runtime) Go(name string, fn Func) (*Task, error) {
	return rt.spawn(name, fn, rt.sched.SpawnWith)
}

// GoWith is Go with options of the scheduler: Main for the main fiber, Group for fibers that have
// quotas, Link for packages that keep fibers of their own, Ended and Front. The Runtime sets all others itself.
func (rt *Runtime) GoWith(name string, fn Func, with scheduler.Options) (*Task, error) {
	return rt.spawn(name, fn, func(f *Fiber, o scheduler.Options) (fiber.RegularID, error) {
		o.Main, o.Link, o.Ended, o.Front, o.Group = with.Main, with.Link, with.Ended, with.Front, with.Group
		return rt.sched.SpawnWith(f, o)
	})
}

// spawn is Go into wherever enter puts the fiber.
func (rt *Runtime) spawn(name string, fn Func, enter func(*Fiber, scheduler.Options) (fiber.RegularID, error)) (*Task, error) {
	if err := rt.killed(); err != nil {
		return nil, err
	}
	f := rt.newFiber(fn)
	t := &Task{cell: new(ioqueue.Cell), name: name}
	id, err := enter(f, rt.optionsOf(name, t.cell))
	if err != nil {
		if killed := rt.killed(); killed != nil { // it has passed a quota
			return nil, killed
		}
		return nil, err
	}
	f.id, f.task = id, t
	t.id = id.ID()
	return t, nil
}

// killed is the *Interrupt of the current fiber, if it was killed.
func (rt *Runtime) killed() error {
	if rt.sched.Unwind().UnwindCause() == nil {
		return nil
	}
	id, _ := rt.sched.Current().Regular()
	slot, _ := rt.sched.Fiber(id)
	return slot.Data.killed()
}

// Start spawns a fiber from another goroutine, which can wait for it by the Handle.
func (rt *Runtime) Start(name string, fn Func) (*scheduler.Handle, error) {
	return rt.sched.Start(rt.newFiber(fn), rt.optionsOf(name, nil))
}

func (rt *Runtime) optionsOf(name string, cell *ioqueue.Cell) scheduler.Options {
	o := rt.options
	o.Name, o.Cell = name, cell
	return o
}

func (rt *Runtime) newFiber(fn Func) *Fiber {
	rt.given("Go", fn != nil, "a function")
	f := &Fiber{rt: rt, fn: fn}
	f.stack = rt.stacks.New(f.main)
	return f
}

// Run drives the fibers until all have ended, the main fiber has (GoWith), they are deadlocked,
// or ctx ends. It returns what scheduler.Scheduler.Run does.
func (rt *Runtime) Run(ctx context.Context) error { return rt.sched.Run(ctx, rt) }

// Close kills every fiber, lets each unwind, and ends the goroutines. Call it on the
// owner's goroutine, with no fiber running.
func (rt *Runtime) Close() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(scheduler.ErrStopped)
	rt.sched.Close()
	_ = rt.sched.Run(ctx, rt) // its error is ctx's
	if rt.shown != nil {
		rt.shown.Close()
	}
	rt.stacks.Close()
}

// Resume runs a fiber's stack for one slice. It is for the scheduler (Machine).
func (rt *Runtime) Resume(s *scheduler.Scheduler[*Fiber], slot *scheduler.Fiber[*Fiber]) (out fiber.Outcome) {
	f := slot.Data
	if f.id == 0 {
		f.id, _ = s.Current().Regular()
	}
	if rt.shown != nil {
		rt.shown.Begin(f.ID())
		defer func() { rt.shown.End(out.Kind == fiber.Done || out.Kind == fiber.Panic) }()
	}
	if !f.started && s.Unwind().KillPending(f.id.ID()) {
		f.stack.Close()
	} else if f.started = true; !f.stack.Resume() {
		return f.out
	}
	return f.end()
}
