package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
)

// machine is what the fibers of a program share. It belongs to one goroutine.
type machine struct {
	*scheduler.Scheduler[*task]
	native  *parking.Machine[*task] // a stack that parks for the evaluation of each fiber
	work    *blocking.Pool
	file    string
	globals *scope
	out     io.Writer
	fuel    int // what is left of the budget of the slice
}

// task is the payload of a fiber. Most of its state is on its Go stack, so it has little else.
type task struct {
	vm          *machine
	id          fiber.RegularID
	ended       ioqueue.Cell
	code        func(t *task) (value, error)
	line, depth int
}

// errStopped ends the evaluation of a fiber that was cancelled or killed. No guest code handles it.
var errStopped = errors.New("the fiber was cancelled or killed")

// run runs a program.
func run(ctx context.Context, clock scheduler.Clock, file, text string, args []string, out io.Writer) error {
	vm := newMachine(clock, file, args, out)
	defer vm.close(ctx)
	if _, err := vm.load(text); err != nil {
		return err
	}
	return vm.Run(ctx, vm.native)
}

// load parses a program and starts its main fiber, whose end ends the run.
func (vm *machine) load(text string) (*task, error) {
	program, err := parse(vm.file, text)
	if err != nil {
		return nil, err
	}
	return vm.spawn(func(t *task) (value, error) { return t.all(program, vm.globals) }, true)
}

func newMachine(clock scheduler.Clock, file string, args []string, out io.Writer) *machine {
	vm := &machine{file: file, out: out, globals: newGlobals(args)}
	vm.Scheduler = scheduler.New[*task](scheduler.Config{
		Clock:      clock,
		Site:       vm.site,
		Unobserved: func(err *scheduler.UnobservedError) { _, _ = fmt.Fprintln(out, err) },
	})
	vm.native = parking.New(vm.Scheduler, vm)
	vm.work, _ = blocking.New(&vm.Core, blocking.Config{}) // its error is a negative limit
	return vm
}

// close unwinds the stacks of fibers that are left, and ends the work of those that were killed.
func (vm *machine) close(ctx context.Context) {
	vm.native.Close()
	_ = vm.work.Close(ctx)
}

func (vm *machine) site(id fiber.RegularID) string {
	f, _ := vm.Fiber(id)
	return f.Data.at(f.Data.line)
}

func (t *task) at(line int) string { return fmt.Sprintf("%s:%d", t.vm.file, line) }

// spawn starts a fiber. Frames: a kill lets its Go frames unwind.
func (vm *machine) spawn(code func(t *task) (value, error), main bool) (t *task, err error) {
	t = &task{vm: vm, code: code}
	t.id, err = vm.SpawnWith(t, scheduler.Options{Frames: true, Main: main, Cell: &t.ended})
	return t, err
}

// Resume begins a fiber: it is called once for each, because all of its code runs on its stack.
func (vm *machine) Resume(_ *scheduler.Scheduler[*task], f *scheduler.Fiber[*task]) fiber.Outcome {
	return vm.native.Run(f.Data.main)
}

// main is the native code of a fiber.
func (t *task) main() fiber.Outcome {
	var result value
	err := t.yielded()
	if err == nil {
		result, err = t.code(t)
	}
	switch failed := new(failure); {
	case errors.Is(err, errStopped):
		return t.vm.Unwind().Stop(t.at(t.line))
	case errors.As(err, &failed):
		return t.vm.Unwind().Fail(failed.err, t.at(failed.line))
	}
	t.vm.SetResult(result, err)
	return fiber.Outcome{Kind: fiber.Done}
}

// step counts a step of the evaluation. At the end of its time slice the fiber lets others run.
func (t *task) step() error {
	if t.vm.fuel--; t.vm.fuel >= 0 {
		return nil
	}
	return t.yield()
}

func (t *task) yield() error {
	if t.vm.native.Suspend(fiber.Outcome{Kind: fiber.TimesliceExpired}) != nil {
		return errStopped
	}
	return t.yielded()
}

// yielded begins a slice: a fiber that does not wait asks whether it was cancelled.
func (t *task) yielded() error {
	t.vm.fuel = t.vm.Inspect().Budget()
	if code, _ := t.vm.TakeInterrupt(); code != fiber.Pending {
		return errStopped
	}
	return nil
}

// wait ends the slice in the wait that is armed, and returns its ticket when it has ended.
func (t *task) wait() (fiber.Ticket, error) {
	ticket, _, err := t.vm.native.Await()
	t.vm.fuel = t.vm.Inspect().Budget()
	if err != nil {
		return ticket, errStopped
	}
	return ticket, nil
}
