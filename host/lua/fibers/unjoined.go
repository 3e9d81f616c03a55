package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// unjoined is the carrier of a fiber whose task the program has discarded: unless the fiber has
// got its own task by fiber.self, no fiber can join it. It is a fiber.Link.
type unjoined carrier

// spawnUnjoined is fiber.spawn(f, ...) whose task the program discards.
func (t *tasks) spawnUnjoined(L *glua.LState, fn *glua.LFunction) {
	c, at := &carrier{env: t.env, thread: t.state.Spawn(L), task: new(task), first: fn, args: copied(L, 2)}, site(L)
	stack, err := t.spawnWith(at, c.code(at), scheduler.Options{Link: (*unjoined)(c)})
	t.checkSpawn(L, err)
	c.spawned(stack)
}

// Died reports a failure at once.
func (u *unjoined) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	if u.task.self == nil {
		u.env.unobserved.Died(u.task.stack, d)
	}
	return wakes, orders
}
