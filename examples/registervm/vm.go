package main

import (
	"context"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// timeSlice is how many instructions a fiber executes before others have their turn.
const timeSlice = 1000

// machine is what the fibers of a program share. It belongs to one goroutine.
type machine struct {
	*scheduler.Scheduler[*task]
	calls *trampoline.Pool[*task] // of native code to the guest
	work  *blocking.Pool
	file  string
	out   io.Writer
	left  int // instructions of the slice, of a fiber and its callees together
}

// task is the payload of a fiber.
type task struct {
	*execution
	id    fiber.RegularID
	ended ioqueue.Cell
}

func (*task) String() string       { return "fiber" }
func (*channel) String() string    { return "channel" }
func (f *function) String() string { return f.name }

// run runs a program. The arguments are in the first registers of main, whose end ends the run.
func run(ctx context.Context, clock scheduler.Clock, file, text string, args []string, out io.Writer) error {
	vm := newMachine(clock, file, out)
	defer func() { _ = vm.work.Close(ctx) }()
	if _, err := vm.load(text, args); err != nil {
		return err
	}
	return vm.Run(ctx, vm)
}

func newMachine(clock scheduler.Clock, file string, out io.Writer) *machine {
	vm := &machine{file: file, out: out}
	vm.Scheduler = scheduler.New[*task](scheduler.Config{
		Clock:      clock,
		Site:       func(id fiber.RegularID) string { f, _ := vm.Fiber(id); return f.Data.site() },
		Unobserved: func(err *scheduler.UnobservedError) { _, _ = fmt.Fprintln(out, err) },
	})
	vm.calls = trampoline.New(vm.Scheduler, nil)           // no fiber nests
	vm.work, _ = blocking.New(&vm.Core, blocking.Config{}) // its error is a negative limit
	return vm
}

// load assembles a program and starts its main fiber.
func (vm *machine) load(text string, args []string) (*task, error) {
	main, err := assemble(vm.file, text)
	if err != nil {
		return nil, err
	}
	var values []value
	for _, arg := range args {
		values = append(values, arg)
	}
	return vm.spawn(true, main, values)
}

func (vm *machine) spawn(main bool, fn *function, args []value) (t *task, err error) {
	t = &task{execution: vm.execution(fn, args...)}
	t.id, err = vm.SpawnWith(t, scheduler.Options{Main: main, Cell: &t.ended})
	return t, err // too many fibers
}

// execution begins a function.
func (vm *machine) execution(fn *function, args ...value) *execution {
	c := &execution{vm: vm, fn: fn}
	copy(c.regs[:], args)
	return c
}

// Resume runs a fiber for a slice.
func (vm *machine) Resume(_ *scheduler.Scheduler[*task], f *scheduler.Fiber[*task]) fiber.Outcome {
	vm.left = timeSlice
	return f.Data.Step()
}
