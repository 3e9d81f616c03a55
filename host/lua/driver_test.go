package lua_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/stack"
)

// driver is a minimal scheduler: fibers run in turns.
type driver struct {
	state *lua.State
	out   bytes.Buffer
	slice int64
	ready []*turn
	all   []*turn
}

// turn is one fiber of a driver, and the Carrier of its program.
type turn struct {
	driver  *driver
	stack   *stack.Stack
	thread  *lua.Thread
	killed  error
	polls   int
	used    int64
	results []glua.LValue
	err     error
}

var errKilled = errors.New("killed")

func newDriver(t *testing.T, c lua.Config, slice int64) *driver {
	d := &driver{slice: slice}
	c.Stdout = &d.out
	d.state = lua.New(c)
	d.state.Base().SetGlobal("fork", d.state.Base().NewFunction(d.fork))
	d.state.Base().SetGlobal("pause", d.state.Base().NewFunction(d.pause))
	t.Cleanup(d.close)
	return d
}

// fork is a global of test programs: it runs a function on a fiber of its own.
func (d *driver) fork(L *glua.LState) int {
	fn, args := L.CheckFunction(1), []glua.LValue{}
	for i := 2; i <= L.GetTop(); i++ {
		args = append(args, L.Get(i))
	}
	d.spawn(d.state.Spawn(L), fn, args...)
	return 0
}

// pause is a global of test programs: it lets the other fibers run.
func (d *driver) pause(L *glua.LState) int {
	t := d.state.Current()
	f := t.Carrier().(*turn)
	f.stack.Suspend()
	t.Mount()
	if f.killed != nil {
		t.Unwind()
	}
	return 0
}

func (d *driver) spawn(th *lua.Thread, fn *glua.LFunction, args ...glua.LValue) *turn {
	f := &turn{driver: d, thread: th}
	f.stack = stack.New(stack.Coroutine, func(*stack.Stack) {
		f.results, f.err = th.Run(f, fn, args...)
	})
	d.ready, d.all = append(d.ready, f), append(d.all, f)
	return f
}

// Budget is the same for all fibers.
func (f *turn) Budget() int64 { return f.driver.slice }

func (f *turn) Used(steps int64) { f.used += steps }

// Poll runs the next fiber. A fiber with a kill pending is not run again.
func (f *turn) Poll() error {
	f.polls++
	if f.killed == nil {
		f.stack.Suspend()
	}
	return f.killed
}

// step runs one time slice, and returns whether fibers are left.
func (d *driver) step() bool {
	if len(d.ready) == 0 {
		return false
	}
	f := d.ready[0]
	d.ready = d.ready[1:]
	if !f.stack.Resume() {
		d.ready = append(d.ready, f)
	} else if err := f.stack.Err(); err != nil {
		f.err = err
	}
	return true
}

func (d *driver) close() {
	for _, f := range d.all {
		if !f.stack.Finished() {
			f.stack.Close()
		}
	}
	d.state.Close()
}

// run runs a program, and everything it forks, to the end.
func (d *driver) run(t *testing.T, program string) *turn {
	t.Helper()
	f := d.start(t, program)
	for d.step() {
	}
	return f
}

func (d *driver) start(t *testing.T, program string) *turn {
	t.Helper()
	fn, err := d.state.Load(strings.NewReader(program), "program.lua")
	if err != nil {
		t.Fatal(err)
	}
	return d.spawn(d.state.Main(), fn)
}
