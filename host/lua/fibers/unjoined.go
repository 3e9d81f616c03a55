package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
)

// unjoined is the carrier of a fiber whose task the program has discarded: unless the fiber has
// got its own task by fiber.self, no fiber can join it. It is a fiber.Link.
type unjoined carrier

// spawnUnjoined is fiber.spawn(f, ...) whose task the program discards.
func (t *tasks) spawnUnjoined(L *glua.LState, fn *glua.LFunction) {
	c, at := &carrier{env: t.env, thread: t.state.Spawn(L), task: new(task)}, site(L)
	stack, err := t.rt.GoLinked(at, c.code(at, fn, copied(L, 2)), (*unjoined)(c))
	t.checkSpawn(L, err)
	c.task.stack = stack
}

// Died reports a failure at once. The scheduler would report it when the run ends, which a server
// may never do.
func (u *unjoined) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	failed := d.Err != nil && !d.Killed && (d.Cause == nil || !errors.Is(d.Err, d.Cause))
	if tell := u.env.unobserved(); failed && tell != nil && u.task.self == nil {
		_, _, _ = u.task.stack.Result() // so that the scheduler does not report it again
		tell(&scheduler.UnobservedError{ID: d.ID, Name: d.Name, Err: d.Err})
	}
	return wakes, orders
}

// unobserved is Unobserved of the Config for failures that are reported at once. A panic that ends
// the run is the error of the run.
func (e *env) unobserved() func(*scheduler.UnobservedError) {
	tell := e.cfg.Runtime.Unobserved
	if tell == nil || e.cfg.Runtime.OnPanic != panicstate.FailRun {
		return tell
	}
	return func(err *scheduler.UnobservedError) {
		if !errors.As(err, new(*scheduler.PanicError)) {
			tell(err)
		}
	}
}
