package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// native calls a native function in the window at n A, r B.
func (m *Machine) native(st *State, in *code.Instr, n []uint64, r []any) step {
	c := &m.call
	m.attempt.Reset()
	c.Begin(&m.attempt, n[in.A:], r[in.B:], int(in.C>>8), int(in.C&0xff))
	m.natives[in.D](c)
	if m.attempt.Over() {
		return m.longNative(st, in, n, r)
	}
	m.charge(m.attempt.Bytes())
	return m.then(st, c)
}

// longNative calls a native function that takes long.
func (m *Machine) longNative(st *State, in *code.Instr, n []uint64, r []any) step {
	return m.suspendable(st, 0, func(p *value.Pace) func() step {
		c := &lib.Call{Host: m.host}
		c.Begin(p, n[in.A:], r[in.B:], int(in.C>>8), int(in.C&0xff))
		m.natives[in.D](c)
		return func() step { return m.then(st, c) }
	})
}

// then does what a native function asks for.
func (m *Machine) then(st *State, c *lib.Call) step {
	if m.trial && c.Then != lib.GoOn {
		return m.spoil()
	}
	switch c.Then {
	case lib.Yield:
		return m.yield()
	case lib.Wait:
		return m.await(st, c)
	case lib.Panic:
		return m.refused(st, c.Err, m.runtimeError)
	case lib.Throw:
		return m.throw(st, m.plainError(c.Err.Error()))
	case lib.Raise:
		return m.begin(st, m.failure(c.Err))
	case lib.Work:
		steps := c.Steps
		return m.suspendable(st, 0, func(p *value.Pace) func() step {
			(&lib.Call{Pace: p}).SpendSteps(steps)
			return goOn
		})
	case lib.Fatal:
		m.out = m.fatal(st, c.Err.Error())
		return leaveSlice
	case lib.Goexit:
		return m.exit(st, errGoexit)
	case lib.Exit:
		m.end(&Exit{c.Status})
		m.out = fiber.TimesliceExpired
		return leaveSlice
	}
	return next
}

func (m *Machine) await(st *State, c *lib.Call) step {
	kept := *c
	st.extra().call = &kept
	w := c.Waiter
	var t fiber.Ticket
	if src := w.Source(); src != nil {
		t = m.sched.Arm(w.Reason(), src)
	} else {
		t = m.sched.Arm(w.Reason())
	}
	if err := w.Park(t); err != nil {
		m.sched.Disarm()
		return m.throw(st, m.plainError(err.Error()))
	}
	return m.block(st)
}

// resumeNative returns from a native function after its wait.
func (m *Machine) resumeNative(st *State, in *code.Instr, t fiber.Ticket, res fiber.Result, n []uint64, r []any) step {
	c := st.more.call
	st.more.call = nil
	w := c.Waiter
	c.Resume(n[in.A:], r[in.B:])
	w.Done(c, t, res)
	return m.then(st, c)
}
