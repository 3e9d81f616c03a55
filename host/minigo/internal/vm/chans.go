package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/wait"
)

// maxBuffer is the largest capacity of a channel.
const maxBuffer = 1 << 28

func (m *Machine) makeChan(st *State, in *code.Instr, x *code.Aux, n []uint64, r []any) step {
	if n[in.B] > maxBuffer {
		return m.throw(st, m.plainError("makechan: size out of range"))
	}
	r[in.A] = value.NewChan(int(n[in.B]))
	return next
}

func (m *Machine) close(st *State, ref any) step {
	ch, _ := ref.(*value.Chan)
	if ch == nil {
		return m.throw(st, m.plainError("close of nil channel"))
	}
	wakes, err := ch.Close(nil)
	if err != nil {
		return m.throw(st, m.plainError("close of closed channel"))
	}
	for _, w := range wakes {
		m.sched.Apply(w)
	}
	return next
}

// block ends the slice; the instruction is finished when the fiber runs again.
func (m *Machine) block(st *State) step {
	st.waits = true
	m.out = fiber.BlockOn(fiber.OnQueue())
	return leaveSlice
}

// forever blocks on nothing.
func (m *Machine) forever(st *State) step {
	m.sched.ArmForQueue()
	return m.block(st)
}

func (m *Machine) send(st *State, x *code.Aux, n []uint64, r []any) step {
	ch, _ := r[x.I[0]].(*value.Chan)
	if ch == nil {
		return m.forever(st)
	}
	v := value.Pack(x.T, n[x.I[1]:], r[x.I[2]:])
	ok, w, err := ch.TrySend(v)
	switch {
	case err != nil:
		return m.throw(st, m.plainError("send on closed channel"))
	case ok:
		if !w.IsZero() {
			m.sched.Apply(w)
		}
		return next
	}
	if err := ch.ParkSend(m.sched.ArmOn(ch), v, 0); err != nil {
		panic(err) // it has just said that it would block
	}
	return m.block(st)
}

func (m *Machine) recv(st *State, x *code.Aux, n []uint64, r []any) step {
	ch, _ := r[x.I[3]].(*value.Chan)
	if ch == nil {
		return m.forever(st)
	}
	v, status, w := ch.TryRecv()
	if status == wait.Empty {
		if err := ch.ParkRecv(m.sched.ArmOn(ch), 0); err != nil {
			panic(err) // it has just said that it would block
		}
		return m.block(st)
	}
	if !w.IsZero() {
		m.sched.Apply(w)
	}
	received(x, v, status == wait.Received, n, r)
	return next
}

// received puts what a receive got into registers.
func received(x *code.Aux, v value.Packed, ok bool, n []uint64, r []any) {
	if !ok {
		v = value.Packed{}
	}
	v.Unpack(x.T, n[x.I[0]:], r[x.I[1]:])
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
}

// finish is the second half of an instruction that has waited.
func (m *Machine) finish(st *State) step {
	t, res := m.sched.Claim()
	fr := st.top()
	n, r := st.num[fr.nb:int(fr.nb)+fr.fn.N], st.ref[fr.rb:int(fr.rb)+fr.fn.R]
	in := &fr.fn.Code[fr.pc-1]
	switch in.Op {
	case code.Send:
		if res.Code == fiber.Closed {
			return m.throw(st, m.plainError("send on closed channel"))
		}
	case code.Recv:
		x := &fr.fn.Aux[in.D]
		v, ok := r[x.I[3]].(*value.Chan).Collect(t)
		received(x, v, ok, n, r)
	case code.Select:
		return m.selected(st, &fr.fn.Aux[in.D], t, res, n, r)
	case code.Native:
		return m.resumeNative(st, in, t, res, n, r)
	}
	return next
}
