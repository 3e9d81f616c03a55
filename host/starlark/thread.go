package starlark

import (
	"errors"
	"time"

	startime "go.starlark.net/lib/time"
	gostar "go.starlark.net/starlark"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// thread is a fiber as the engine executes it. It is the Local of its fiber.
type thread struct {
	host  *Host
	fiber *stackful.Fiber
	star  *gostar.Thread
	group *scheduler.Group

	taken   uint64 // the steps that the quotas have counted
	slice   uint64 // the last step of the time slice
	checked uint64 // the step at which the depth of the calls was checked
	ended   error  // why its code does not go on: an *stackful.Interrupt, or a *LimitError; nil if it does

	loads []request // what it loads, the innermost last
	waits *request  // the load for which it waits; nil if it does not
}

// local is the key of the thread among the locals of the engine's.
const local = "selvage.fiber"

// threadOf is the thread of a fiber of some Host; nil if the engine's thread is another one.
func threadOf(star *gostar.Thread) *thread {
	t, _ := star.Local(local).(*thread)
	return t
}

// current is the thread that executes.
func (h *Host) current() *thread {
	id, _ := h.rt.Scheduler().Current().Regular()
	if slot, alive := h.rt.Scheduler().Fiber(id); alive && slot.Data != nil {
		t, _ := slot.Data.Local.(*thread)
		return t
	}
	return nil
}

// FiberOf is the fiber that executes a thread, for functions in Go that wait; nil for a thread that is not of a Host.
// An error of a wait must be the function's error: the fiber was cancelled or killed. What is kept longer than the call
// must be frozen.
func FiberOf(star *gostar.Thread) *stackful.Fiber {
	t := threadOf(star)
	if t == nil {
		return nil
	}
	t.settle()
	t.touch()
	return t.fiber
}

// begin gives a fiber its thread.
func (h *Host) begin(f *stackful.Fiber) *thread {
	t := &thread{host: h, fiber: f, group: h.rt.Scheduler().Inspect().Group(f.ID())}
	t.star = &gostar.Thread{Print: t.print, Load: t.load, OnMaxSteps: t.preempted}
	if task := f.Task(); task != nil {
		t.star.Name = task.Name()
	}
	t.star.SetLocal(local, t)
	startime.SetNow(t.star, h.wallTime)
	if h.cfg.Thread != nil {
		h.cfg.Thread(t.star)
	}
	f.Local = t
	t.slice = uint64(h.budget())
	t.arm(0)
	return t
}

// entry is what a fiber executes.
func (h *Host) entry(do func(*thread) (gostar.Value, error)) stackful.Func {
	return func(f *stackful.Fiber) (any, error) {
		t := h.begin(f)
		if err := f.Checkpoint(); err != nil {
			return nil, err
		}
		v, err := do(t)
		t.settle()
		if err == nil {
			err = t.freeze(v)
		}
		if err != nil || t.ended != nil {
			return nil, t.failure(err)
		}
		return v, nil
	}
}

// function is what a fiber executes that calls a function.
func (h *Host) function(fn gostar.Value, args gostar.Tuple, kwargs []gostar.Tuple) stackful.Func {
	return h.entry(func(t *thread) (gostar.Value, error) { return gostar.Call(t.star, fn, args, kwargs) })
}

// stop has the code of the fiber end: no function in Go can prevent it.
func (t *thread) stop(err error) {
	if t.ended == nil {
		t.ended = err
		t.star.Cancel(err.Error())
	}
}

// failure is the error of a fiber whose code has ended with err.
func (t *thread) failure(err error) error {
	if _, stopped := errors.AsType[*stackful.Interrupt](t.ended); stopped {
		return t.ended
	}
	return guestError(err, t.ended)
}

// check is called with the error of an operation that may have waited.
func (t *thread) check(err error) error {
	if i := t.fiber.Stopped(err); i != nil {
		t.stop(i)
		return i
	}
	return err
}

// touch tells an explored run (scheduler.Config.Choose) that the step may use what other fibers use too, besides the objects
// of package stackful: the output, the modules, and what a function in Go reaches.
func (t *thread) touch() {
	if choices := t.host.rt.Scheduler().Choices(); choices.On() {
		choices.Touch(nil)
	}
}

// wallTime is the time of time.now.
func (h *Host) wallTime() (time.Time, error) {
	return h.cfg.Access.Now(time.Duration(h.rt.Scheduler().Now())), nil
}

func (h *Host) budget() int { return h.rt.Scheduler().Inspect().Budget() }
