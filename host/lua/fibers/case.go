package fibers

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/wait"
)

// cases reads the list of cases of a select.
func (s *selects) cases(c call, spec *glua.LTable) []wait.Case {
	cases := make([]wait.Case, spec.Len())
	s.state.Charge(int64(len(cases)))
	for i := range cases {
		entry, ok := spec.RawGetInt(i + 1).(*glua.LTable)
		if !ok {
			c.L.ArgError(1, fmt.Sprintf(`case %d: want {ch, "recv"}, {ch, "send", value}, {timer, "wait"} or {task, "join"}, got %s`, i+1, typeName(spec.RawGetInt(i+1))))
		}
		cases[i] = s.read(entryOf{c, i + 1, entry})
	}
	return cases
}

// entryOf is one entry of the list: an object, an operation, and perhaps a value.
type entryOf struct {
	call
	n     int
	table *glua.LTable
}

// read makes the case of an entry.
func (s *selects) read(e entryOf) wait.Case {
	object := e.table.RawGetInt(1)
	if ch, ok := caseOf[*channel](e, "chan", object, "recv", "send"); ok {
		if e.table.RawGetInt(2) == glua.LString("recv") {
			return wait.RecvFrom(ch)
		}
		return wait.SendTo(ch, e.table.RawGetInt(3))
	}
	if t, ok := caseOf[*wait.Timer](e, "timer", object, "wait"); ok {
		return t
	}
	if t, ok := caseOf[*task](e, "task", object, "join"); ok {
		j, err := wait.JoinOn(t.stack.Cell(), e.fiber.ID())
		s.check(e.L, err)
		return j
	}
	if p, ok := caseOf[*port](e, "port", object, "recv"); ok {
		return island.RecvFrom(p)
	}
	if to, ok := caseOf[*sender](e, "sender", object, "send"); ok {
		return s.ports.sendCase(e.L, to, e.table.RawGetInt(3))
	}
	if object == glua.LFalse { // a disabled case, as that of a nil channel in Go; nil is too often a mistake
		e.operation("recv", "send", "wait", "join")
		return nil
	}
	e.L.ArgError(1, fmt.Sprintf("case %d: chan, timer, task, port or sender expected, got %s", e.n, typeName(object)))
	return nil
}

// caseOf returns the object of an entry if it has the type, and checks its operation.
func caseOf[T any](e entryOf, kind string, v glua.LValue, operations ...string) (of T, ok bool) {
	o, ok := as[T](v)
	if !ok {
		return of, false
	}
	e.env.checkOwner(e.L, kind, o.kind.env)
	e.operation(operations...)
	return o.of, true
}

// operation refuses an entry whose operation is not in the list.
func (e entryOf) operation(want ...string) {
	got := e.table.RawGetInt(2)
	for _, operation := range want {
		if got == glua.LString(operation) {
			return
		}
	}
	e.L.ArgError(1, fmt.Sprintf(`case %d: want %s, got %v`, e.n, oneOf(want), got))
}

// oneOf is a list of choices for an error message.
func oneOf(choices []string) string {
	list := `"` + strings.Join(choices, `", "`) + `"`
	if last := strings.LastIndex(list, ","); last >= 0 {
		list = list[:last] + " or" + list[last+1:]
	}
	return list
}
