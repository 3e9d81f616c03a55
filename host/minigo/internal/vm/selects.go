package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/wait"
)

// caseBytes is about how much memory a case takes.
const caseBytes = 100

// caseSend is the kind of a case that sends; the other kind receives.
const caseSend = 1

func (m *Machine) selectFrom(st *State, x *code.Aux, n []uint64, r []any) step {
	c := m.cases(st, x, n, r)
	i, w, ok := c.Poll(m.sched.Choices())
	if ok {
		if !w.IsZero() {
			m.sched.Apply(w)
		}
		return m.chosen(st, x, c, i, n, r)
	}
	return m.parkSelect(st, x, c, n)
}

// parkSelect waits for a case of a select, unless it has a default.
func (m *Machine) parkSelect(st *State, x *code.Aux, c *choice, n []uint64) step {
	if x.I[0] != 0 {
		n[x.I[1]] = ^uint64(0)
		return next
	}
	var buf [8]fiber.Source
	sources := c.Sources(buf[:0])
	if len(sources) == 0 {
		return m.forever(st)
	}
	if err := c.Park(m.sched.Arm(fiber.OnQueue(), sources...)); err != nil {
		panic(err) // Poll has just reported that it would block
	}
	return m.block(st)
}

// cases makes the select from the values in registers.
func (m *Machine) cases(st *State, x *code.Aux, n []uint64, r []any) *choice {
	more := st.extra()
	if more.sel == nil {
		more.sel = &choice{}
	}
	c := more.sel
	list := make([]wait.Case, len(x.List))
	m.alloc(len(list) * caseBytes)
	for i, s := range x.List {
		if s.Kind == caseSend {
			m.allocPacked(s.T)
		}
		if s.T.Word() {
			list[i] = caseOf(&s, r[s.J], func() uint64 { return n[s.N] })
		} else {
			list[i] = caseOf(&s, r[s.J], func() value.Packed { return value.Pack(s.T, n[s.N:], r[s.R:]) })
		}
	}
	c.list = list
	c.Reset(list...)
	return c
}

// caseOf is one alternative; its value to send, if any, is read then.
func caseOf[V any](s *code.Slot, ref any, v func() V) wait.Case {
	ch, _ := ref.(*wait.Chan[V])
	if s.Kind == caseSend {
		return wait.SendTo(ch, v())
	}
	return wait.RecvFrom(ch)
}

// selected is the second half of a select that has waited.
func (m *Machine) selected(st *State, x *code.Aux, t fiber.Ticket, res fiber.Result, n []uint64, r []any) step {
	c := st.more.sel
	i, ok := c.Collect(t, res)
	if !ok {
		panic("minigo: a select ended without a case")
	}
	return m.chosen(st, x, c, i, n, r)
}

func (m *Machine) chosen(st *State, x *code.Aux, c *choice, i int, n []uint64, r []any) step {
	s := &x.List[i]
	n[x.I[1]] = uint64(i)
	switch k := c.list[i].(type) {
	case interface{ Err() error }:
		if k.Err() != nil {
			return m.throw(st, m.plainError("send on closed channel"))
		}
	case *wait.Receive[uint64]:
		v, ok := k.Value()
		n[s.N], n[s.I] = v, word(ok)
	case *wait.Receive[value.Packed]:
		v, ok := k.Value()
		v.Unpack(s.T, n[s.N:], r[s.R:])
		n[s.I] = word(ok)
	}
	return next
}
