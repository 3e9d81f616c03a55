package fibers

import (
	"errors"
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// selectCases is fiber.select{ {ch, "recv"}, {ch2, "send", v}, {t, "wait"}, {task, "join"},
// default=true, timeout=s }.
func (h *Host) selectCases(L *glua.LState) int {
	c, spec := h.self(L), L.CheckTable(1)
	cases := h.readCases(L, c, spec)
	refuseSlips(L, spec, len(cases))
	deadline := fiber.Never
	switch t := spec.RawGetString("timeout").(type) {
	case *glua.LNilType:
	case glua.LNumber:
		deadline = h.until(L, 1, t)
	default:
		L.ArgError(1, "timeout: number of seconds expected, got "+t.Type().String())
	}
	sel := wait.NewSelect(cases...)
	if glua.LVAsBool(spec.RawGetString("default")) {
		return h.selectNow(L, c, sel, cases)
	}
	i, err := c.fiber.SelectUntil(sel, deadline)
	if errors.Is(c.back(err), stackful.ErrTimeout) {
		L.Push(glua.LString("timeout"))
		return 1
	}
	h.check(L, err)
	return h.pushCase(L, i, cases[i])
}

// refuseSlips refuses what stands behind the cases and is no option: without a timeout that is
// misspelt, say, a program would wait for ever.
func refuseSlips(L *glua.LState, spec *glua.LTable, cases int) {
	var last glua.LValue = glua.LNil
	if cases > 0 {
		last = glua.LNumber(cases)
	}
	for key, _ := spec.Next(last); key != glua.LNil; key, _ = spec.Next(key) {
		if key != glua.LString("default") && key != glua.LString("timeout") {
			L.ArgError(1, word(key)+": want a list of cases, default = true, or timeout = seconds")
		}
	}
}

func (h *Host) selectNow(L *glua.LState, c *carrier, sel *wait.Select, cases []wait.Case) int {
	i, ok, err := c.fiber.TrySelect(sel)
	h.check(L, c.back(err))
	if !ok {
		L.Push(glua.LString("default"))
		return 1
	}
	return h.pushCase(L, i, cases[i])
}

// pushCase gives index, value, ok; of a task the first result, or its error and false.
func (h *Host) pushCase(L *glua.LState, i int, c wait.Case) int {
	L.Push(glua.LNumber(i + 1))
	switch c := c.(type) {
	case *wait.Receive[glua.LValue]:
		v, ok := c.Value()
		return 1 + pushReceived(L, v, ok)
	case *wait.Send[glua.LValue]:
		h.check(L, c.Err())
	case *island.Receive[cargo]:
		return 1 + h.pushCargo(L, c)
	case *island.Send[cargo]:
		h.check(L, c.Err())
	case wait.Join:
		return 1 + pushEnd(L, c)
	}
	L.Push(glua.LNil)
	L.Push(glua.LTrue)
	return 3
}

// pushEnd gives how the task of a join ended that has.
func pushEnd(L *glua.LState, j wait.Join) int {
	result, _, err := j.Try()
	if err != nil {
		L.Push(errorValue(err))
		L.Push(glua.LFalse)
		return 2
	}
	var first glua.LValue = glua.LNil
	if values, _ := result.([]glua.LValue); len(values) > 0 {
		first = values[0]
	}
	L.Push(first)
	L.Push(glua.LTrue)
	return 2
}

func (h *Host) readCases(L *glua.LState, c *carrier, spec *glua.LTable) []wait.Case {
	cases := make([]wait.Case, spec.Len())
	for i := range cases {
		entry, ok := spec.RawGetInt(i + 1).(*glua.LTable)
		if !ok {
			L.ArgError(1, fmt.Sprintf(`case %d: want {ch, "recv"}, {ch, "send", value}, {timer, "wait"} or {task, "join"}, got %s`, i+1, typeName(spec.RawGetInt(i+1))))
		}
		cases[i] = h.readCase(L, c, i+1, entry)
	}
	return cases
}

func (h *Host) readCase(L *glua.LState, c *carrier, n int, entry *glua.LTable) wait.Case {
	if t, ok := as[*timer](entry.RawGetInt(1)); ok {
		return h.timerCase(L, n, t, entry.RawGetInt(2))
	}
	if t, ok := as[*task](entry.RawGetInt(1)); ok {
		return h.joinCase(L, c, n, t, entry.RawGetInt(2))
	}
	if p, ok := as[*port](entry.RawGetInt(1)); ok {
		return h.portCase(L, n, p, entry.RawGetInt(2))
	}
	if s, ok := as[*sender](entry.RawGetInt(1)); ok {
		return h.senderCase(L, n, s, entry)
	}
	if entry.RawGetInt(1) == glua.LFalse {
		return disabledCase(L, n, entry.RawGetInt(2))
	}
	ch, ok := as[*channel](entry.RawGetInt(1))
	if !ok {
		L.ArgError(1, fmt.Sprintf("case %d: chan, timer, task, port or sender expected, got %s", n, typeName(entry.RawGetInt(1))))
	}
	h.checkHost(L, "chan", ch.host)
	switch op := entry.RawGetInt(2); op {
	case glua.LString("recv"):
		return wait.RecvFrom(ch.Chan)
	case glua.LString("send"):
		return wait.SendTo(ch.Chan, entry.RawGetInt(3))
	default:
		L.ArgError(1, fmt.Sprintf(`case %d: want "recv" or "send", got %v`, n, op))
		return nil
	}
}

// disabledCase is one that is turned off, as that of a nil channel is in Go. A nil is too
// often a slip to mean that.
func disabledCase(L *glua.LState, n int, op glua.LValue) wait.Case {
	switch op {
	case glua.LString("recv"), glua.LString("send"), glua.LString("wait"), glua.LString("join"):
		return nil
	}
	L.ArgError(1, fmt.Sprintf(`case %d: want "recv", "send", "wait" or "join", got %v`, n, op))
	return nil
}

func (h *Host) timerCase(L *glua.LState, n int, t *timer, op glua.LValue) wait.Case {
	h.checkHost(L, "timer", t.host)
	if op != glua.LString("wait") {
		L.ArgError(1, fmt.Sprintf(`case %d: want "wait", got %v`, n, op))
	}
	return t.Timer
}

func (h *Host) joinCase(L *glua.LState, c *carrier, n int, t *task, op glua.LValue) wait.Case {
	h.checkHost(L, "task", t.host)
	if op != glua.LString("join") {
		L.ArgError(1, fmt.Sprintf(`case %d: want "join", got %v`, n, op))
	}
	j, err := wait.JoinOn(t.stack.Cell(), c.fiber.ID())
	h.check(L, err)
	return j
}
