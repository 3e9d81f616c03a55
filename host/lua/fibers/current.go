package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// These functions are about the fiber that calls them, and about the scheduler.

// library returns the functions of the table fiber that tasks has.
func (t *tasks) library() functions {
	return functions{
		"spawn": t.spawn, "self": t.current, "yield": t.yield, "sleep": t.sleep, "now": t.now,
		"report": t.report, "shield": t.shield,
	}
}

// current is fiber.self().
func (t *tasks) current(L *glua.LState) int { return push(L, t.object(t.self(L).task)) }

func (t *tasks) yield(L *glua.LState) int {
	c := t.begin(L)
	return c.done(c.fiber.Yield())
}

func (t *tasks) sleep(L *glua.LState) int {
	c := t.begin(L)
	d, err := wait.Seconds(float64(L.CheckNumber(1)))
	if err != nil {
		L.ArgError(1, plain(err))
	}
	return c.done(c.fiber.Sleep(d))
}

// now is the time since the program began, in seconds.
func (t *tasks) now(L *glua.LState) int {
	return push(L, glua.LNumber(float64(t.rt.Scheduler().Now()-t.began)/1e9))
}

// report is fiber.report(): a text about the partial deadlocks, or nil if there are none.
func (t *tasks) report(L *glua.LState) int {
	t.state.Charge(int64(t.rt.Scheduler().Inspect().Live())) // all are looked at
	stuck := t.group.Report().Stuck
	if len(stuck) == 0 {
		return push(L, glua.LNil)
	}
	text := (&scheduler.Report{Stuck: stuck}).String()
	t.state.ChargeBytes(len(text))
	return push(L, glua.LString(text))
}
