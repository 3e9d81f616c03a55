package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// spawner starts a fiber with a name. It is stackful.Runtime.Go, or a form of it.
type spawner func(name string, code stackful.Func) (*stackful.Task, error)

// start spawns a fiber that calls fn on the thread. A fiber that is cancelled before its first
// time slice never calls fn. The site is the fiber's name until the program gives it another.
func (t *tasks) start(spawn spawner, site string, thread *lua.Thread, fn *glua.LFunction, args []glua.LValue) (*task, error) {
	c := &carrier{env: t.env, thread: thread, task: &task{}, first: fn, args: args}
	stack, err := spawn(site, c.code(site))
	if err != nil {
		return nil, err
	}
	c.spawned(stack)
	return c.task, nil
}

// spawned gives a fiber that has not begun its carrier.
func (c *carrier) spawned(stack *stackful.Task) {
	c.task.stack = stack
	id, _ := stack.ID().Regular()
	if slot, alive := c.env.rt.Scheduler().Fiber(id); alive {
		slot.Data.Local = c
	}
	c.thread.Holds(stack.Cell().Completed, c.first, c.args)
}

// code is what the fiber of a task executes: it calls what the carrier has for it.
func (c *carrier) code(site string) stackful.Func {
	return func(f *stackful.Fiber) (any, error) {
		fn, args := c.first, c.args
		c.fiber, c.group = f, f.Runtime().Scheduler().Inspect().Group(f.ID())
		f.Local = c
		c.first, c.args = nil, nil
		if err := f.Checkpoint(); err != nil {
			return nil, err
		}
		c.showFirst(fn)
		defer c.iterators.end()
		c.thread.SetContext(f.Context())
		values, err := c.thread.Run(c, fn, args...)
		if err != nil {
			err = placed(guestError(err), site)
			c.task.kept = errorValues(err)
			return nil, err
		}
		c.task.kept = values
		return values, nil
	}
}

// spawn is fiber.spawn(f, ...).
func (t *tasks) spawn(L *glua.LState) int {
	fn := L.CheckFunction(1)
	if t.state.Discarded(L) {
		t.spawnUnjoined(L, fn)
		return 0
	}
	return push(L, t.object(t.spawned(L, fn, 2)))
}

// spawnIn is stackful.Runtime.Go for a fiber of the Host's programs.
func (e *env) spawnIn(name string, code stackful.Func) (*stackful.Task, error) {
	return e.spawnWith(name, code, scheduler.Options{})
}

// spawnWith is stackful.Runtime.GoWith for a fiber of the Host's programs: if that is not the current
// one's, it counts to the Group of all.
func (e *env) spawnWith(name string, code stackful.Func, o scheduler.Options) (*stackful.Task, error) {
	if s := e.rt.Scheduler(); o.Group == nil && s.Inspect().Group(s.Current()) == nil {
		o.Group = e.group
	}
	return e.rt.GoWith(name, code, o)
}

// spawned spawns a fiber that calls fn with the arguments from position from on.
func (t *tasks) spawned(L *glua.LState, fn *glua.LFunction, from int) *task {
	made, err := t.start(t.spawnIn, site(L), t.state.Spawn(L), fn, copied(L, from))
	t.checkSpawn(L, err)
	return made
}

// checkSpawn raises the error of a spawn. If the calling fiber was killed, it unwinds.
func (t *tasks) checkSpawn(L *glua.LState, err error) {
	if errors.Is(err, scheduler.ErrTooManyFibers) {
		L.RaiseError("spawn: too many fibers: %d are alive; let some end first, or raise the limit (Config.Runtime.MaxFibers)", t.rt.Scheduler().Inspect().Live())
	}
	if c := t.caller(L); c != nil {
		c.unwindIf(err)
	}
	t.check(L, err)
}
