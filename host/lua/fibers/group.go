package fibers

import (
	"errors"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// group is tasks that a program waits for together.
type group struct {
	stackful.Group
	tasks   []*task // the members, in the order of the Group
	goal    wait.Goal
	cancels bool // members that still run when the goal is reached are cancelled
}

// errRest is the cause of that cancellation.
var errRest = errors.New("the group is done")

// groups has the functions of groups.
type groups struct{ *tasks }

func (g groups) binding() binding {
	return row[*group]{kind: "group", self: "g", create: newGroup, methods: g.methods}
}

// newGroup reads { wait = "all"|"first_error"|"any", rest = "leave"|"cancel" }.
func newGroup(e *env, L *glua.LState) *group {
	o := e.options(L, 1, 0, "wait", "rest")
	goals := [...]wait.Goal{wait.All, wait.FirstError, wait.Any}
	return &group{
		goal:    goals[o.choice("wait", "all", "first_error", "any")],
		cancels: o.choice("rest", "leave", "cancel") == 1,
	}
}

func (g groups) methods(t *typeOf[*group]) functions {
	return functions{
		// g:spawn(f, ...) spawns a member.
		"spawn": func(L *glua.LState) int { c, to := t.op(L); return g.add(c, to, g.spawned(L, L.CheckFunction(2), 3)) },
		// g:add(task) makes a task a member.
		"add": func(L *glua.LState) int {
			c, to := t.op(L)
			return g.add(c, to, argument[*task](t.env, L, 2, "task", ""))
		},
		// g:wait([timeout]); see groups.wait.
		"wait": func(L *glua.LState) int { c, of := t.op(L); return g.wait(c, of, c.deadline(2)) },
		// g:cancel([cause]) cancels the members that still run.
		"cancel": func(L *glua.LState) int { c, of := t.op(L); return c.done(of.Cancel(c.fiber, cancelCause(L))) },
	}
}

func (g groups) add(c call, to *group, member *task) int {
	to.tasks = append(to.tasks, member)
	c.check(to.Add(c.fiber, member.stack))
	return push(c.L, g.object(member))
}

// wait returns true, or false with an error and the task that failed with it. If one success
// is the goal, true comes with the task that succeeded.
func (g groups) wait(c call, of *group, deadline fiber.Time) int {
	g.state.Charge(int64(len(of.tasks)))
	decided, err := of.WaitUntil(c.fiber, of.goal, deadline)
	g.watch.joined(of.tasks...)
	failed, _ := err.(*stackful.TaskError) // not one that is the cause of a cancellation
	if failed != nil {
		err = nil
	}
	if err == nil {
		err = of.settle(c.carrier, deadline)
		g.watch.joined(of.tasks...)
	}
	if c.timedOut(err) {
		return 2
	}
	n := push(c.L, glua.LBool(failed == nil))
	if failed != nil {
		n += push(c.L, errorValue(failed.Err))
	}
	if decided != nil {
		i := slices.IndexFunc(of.tasks, func(t *task) bool { return t.stack == decided })
		n += push(c.L, g.object(of.tasks[i]))
	}
	return n
}

// settle handles the members that did not decide the wait.
func (g *group) settle(c *carrier, deadline fiber.Time) error {
	if g.goal == wait.Any { // one success is enough: failures of others are not reported
		for _, t := range g.tasks {
			_, _, _ = t.stack.Result() // marks the failure as observed
		}
	}
	if !g.cancels {
		return nil
	}
	_ = g.Cancel(c.fiber, errRest) // no error: the group belongs to this scheduler
	_, err := g.WaitUntil(c.fiber, wait.All, deadline)
	if _, stop := err.(*stackful.Interrupt); stop {
		return err
	}
	return nil // the results of cancelled members do not matter, and they will end soon
}
