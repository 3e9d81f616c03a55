package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/wait"
)

type (
	receive = wait.Receive[value.Packed]
	send    = wait.Send[value.Packed]
)

// caseSend is the kind of a case that sends; the other kind receives.
const caseSend = 1

func (m *Machine) selectFrom(st *State, x *code.Aux, n []uint64, r []any) step {
	c := m.cases(st, x, n, r)
	i, w, ok := c.Poll(m.host.Random)
	switch {
	case ok:
		if !w.IsZero() {
			m.sched.Apply(w)
		}
		return m.chosen(st, x, c, i, n, r)
	case x.I[0] != 0:
		n[x.I[1]] = ^uint64(0)
		return next
	}
	var buf [8]fiber.Source
	sources := c.Sources(buf[:0])
	if len(sources) == 0 {
		return m.forever(st)
	}
	if err := c.Park(m.sched.Arm(fiber.OnQueue(), sources...)); err != nil {
		panic(err) // Poll has just said that it would block
	}
	return m.block(st)
}

// cases makes the select of the values in registers.
func (m *Machine) cases(st *State, x *code.Aux, n []uint64, r []any) *choice {
	more := st.extra()
	if more.sel == nil {
		more.sel = &choice{}
	}
	c := more.sel
	list := make([]wait.Case, len(x.List))
	for i, s := range x.List {
		ch, _ := r[s.J].(*value.Chan)
		if s.Kind == caseSend {
			list[i] = wait.SendTo(ch, value.Pack(s.T, n[s.N:], r[s.R:]))
		} else {
			list[i] = wait.RecvFrom(ch)
		}
	}
	c.list = list
	c.Reset(list...)
	return c
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
	case *send:
		if k.Err() != nil {
			return m.throw(st, m.plainError("send on closed channel"))
		}
	case *receive:
		v, ok := k.Value()
		if !ok {
			v = value.Packed{}
		}
		v.Unpack(s.T, n[s.N:], r[s.R:])
		n[s.I] = word(ok)
	}
	return next
}
