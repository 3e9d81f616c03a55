package fibers

import (
	"errors"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// selects has fiber.select.
type selects struct {
	*env
	ports *ports
}

// run is fiber.select{ {ch, "recv"}, {ch2, "send", v}, {t, "wait"}, {task, "join"},
// default=true, timeout=s }.
func (s *selects) run(L *glua.LState) int {
	c, spec := s.begin(L), L.CheckTable(1)
	cases := s.cases(c, spec)
	o := s.options(L, 1, len(cases), "default", "timeout")
	sel, deadline := wait.NewSelect(cases...), o.timeout()
	if glua.LVAsBool(o.get("default")) {
		return s.try(c, sel, spec, cases)
	}
	s.watch.begin()
	i, err := c.fiber.SelectUntil(sel, deadline)
	if errors.Is(c.back(err), stackful.ErrTimeout) {
		return push(L, glua.LString("timeout"))
	}
	s.check(L, err)
	s.watch.selected(spec, i, cases[i])
	return s.pushCase(L, i, cases[i])
}

// try is a select with a default.
func (s *selects) try(c call, sel *wait.Select, spec *glua.LTable, cases []wait.Case) int {
	s.watch.begin()
	i, ok, err := c.fiber.TrySelect(sel)
	c.check(err)
	if !ok {
		return push(c.L, glua.LString("default"))
	}
	s.watch.selected(spec, i, cases[i])
	return s.pushCase(c.L, i, cases[i])
}

// pushCase pushes the index of the chosen case, a value, and true or false: for a task the first
// result and true, or its error and false.
func (s *selects) pushCase(L *glua.LState, i int, chosen wait.Case) int {
	n := push(L, glua.LNumber(i+1))
	switch chosen := chosen.(type) {
	case *wait.Receive[glua.LValue]:
		v, ok := chosen.Value()
		return n + pushReceived(L, v, ok)
	case *wait.Send[glua.LValue]:
		s.check(L, chosen.Err())
	case *island.Receive[transferable]:
		return n + s.ports.pushReceived(L, chosen)
	case *island.Send[transferable]:
		s.check(L, chosen.Err())
	case wait.Join:
		return n + pushJoined(L, chosen)
	}
	return n + push(L, glua.LNil, glua.LTrue)
}

func pushJoined(L *glua.LState, j wait.Join) int {
	result, _, err := j.Try()
	if err != nil {
		return push(L, errorValue(err), glua.LFalse)
	}
	if values, _ := result.([]glua.LValue); len(values) > 0 {
		return push(L, values[0], glua.LTrue)
	}
	return push(L, glua.LNil, glua.LTrue)
}
