package fibers

import (
	"errors"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// group is tasks that a program waits for as one.
type group struct {
	stackful.Group
	tasks   []*task // as in the Group
	goal    wait.Goal
	cancels bool // those that go on when the goal is reached
	host    *Host
}

// errRest is the cause that the rest of a group is told.
var errRest = errors.New("the group is done")

func (h *Host) checkGroup(L *glua.LState) *group { return receiver[*group](h, L, "group", "g") }

func (h *Host) openGroup() {
	h.types.group = h.newType("fiber.group", map[string]glua.LGFunction{
		"spawn": h.spawnInGroup, "add": h.addToGroup, "wait": h.waitForGroup, "cancel": h.cancelGroup,
	})
	h.nameType(h.types.group, "group", func(L *glua.LState) string { return h.checkGroup(L).Name() })
}

// newGroup is fiber.group{ wait = "all"|"first_error"|"any", rest = "leave"|"cancel" }.
func (h *Host) newGroup(L *glua.LState) int {
	g := &group{host: h}
	options := L.OptTable(1, L.NewTable())
	for key, value := options.Next(glua.LNil); key != glua.LNil; key, value = options.Next(key) {
		if option := word(key) + " = " + word(value); !g.obey(option) {
			L.ArgError(1, option+`: want wait = "all", "first_error" or "any", or rest = "leave" or "cancel"`)
		}
	}
	g.SetName(h.objectName(L))
	L.Push(object(g, h.types.group))
	return 1
}

// obey sets an option. False: there is no such option.
func (g *group) obey(option string) bool {
	switch option {
	case "wait = all":
		g.goal = wait.All
	case "wait = first_error":
		g.goal = wait.FirstError
	case "wait = any":
		g.goal = wait.Any
	case "rest = leave", "rest = cancel":
		g.cancels = option == "rest = cancel"
	default:
		return false
	}
	return true
}

// word is a string as it is, and of anything else what it is.
func word(v glua.LValue) string {
	if v.Type() == glua.LTString {
		return v.String()
	}
	return "a " + typeName(v)
}

func (h *Host) spawnInGroup(L *glua.LState) int {
	g, c, fn := h.checkGroup(L), h.self(L), L.CheckFunction(2)
	return h.newMember(L, g, c, h.spawned(L, fn, 3))
}

func (h *Host) addToGroup(L *glua.LState) int {
	g, c := h.checkGroup(L), h.self(L)
	return h.newMember(L, g, c, argument[*task](h, L, 2, "task", ""))
}

func (h *Host) newMember(L *glua.LState, g *group, c *carrier, t *task) int {
	g.tasks = append(g.tasks, t)
	h.check(L, c.back(g.Add(c.fiber, t.stack)))
	L.Push(t.object())
	return 1
}

// waitForGroup is g:wait([timeout]): true, or false with an error and the task that
// failed with it. If the group waits for any, true comes with the task that ended well.
func (h *Host) waitForGroup(L *glua.LState) int {
	g, c := h.checkGroup(L), h.self(L)
	deadline := h.deadline(L, 2)
	decided, err := g.WaitUntil(c.fiber, g.goal, deadline)
	failed, _ := err.(*stackful.TaskError) // not one that is the cause of a cancel
	if failed != nil {
		err = nil
	}
	if err == nil {
		err = g.settle(c, deadline)
	}
	if h.timedOut(L, c.back(err)) {
		return 2
	}
	results := []glua.LValue{glua.LBool(failed == nil)}
	if failed != nil {
		results = append(results, errorValue(failed.Err))
	}
	if decided != nil {
		i := slices.IndexFunc(g.tasks, func(t *task) bool { return t.stack == decided })
		results = append(results, g.tasks[i].object())
	}
	for _, v := range results {
		L.Push(v)
	}
	return len(results)
}

// settle does with the members that did not decide what the group is for. Where one
// that ends well is enough, the failures of others are nothing that anybody must see.
func (g *group) settle(c *carrier, deadline fiber.Time) error {
	if g.goal == wait.Any {
		for _, t := range g.tasks {
			_, _, _ = t.stack.Result() // reading it is seeing it
		}
	}
	if !g.cancels {
		return nil
	}
	_ = g.Cancel(c.fiber, errRest) // its Host's own
	_, err := g.WaitUntil(c.fiber, wait.All, deadline)
	if _, stop := err.(*stackful.Interrupt); stop {
		return err
	}
	return nil // how they ended is no matter, and what is not over yet soon will be
}

// cancelGroup is g:cancel([cause]).
func (h *Host) cancelGroup(L *glua.LState) int {
	g, c := h.checkGroup(L), h.self(L)
	h.check(L, c.back(g.Cancel(c.fiber, errors.New(L.OptString(2, "cancelled")))))
	return 0
}
