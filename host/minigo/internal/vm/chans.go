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
	r[in.A] = value.NewChan(x.T, int(n[in.B]))
	return next
}

func (m *Machine) close(st *State, ref any) step {
	ch, _ := ref.(value.AnyChan)
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
	st.waits = rest
	m.out = fiber.Block
	return leaveSlice
}

// yield lets the others have their turn first.
func (m *Machine) yield() step {
	if m.trial {
		return m.spoil()
	}
	m.sched.YieldCurrent()
	return parked
}

// forever blocks on nothing.
func (m *Machine) forever(st *State) step {
	if m.trial {
		return m.spoil()
	}
	m.sched.ArmForQueue()
	return m.block(st)
}

// pass is a Send or a Recv that the loop does not do itself.
func (m *Machine) pass(st *State, in *code.Instr, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	switch word := x.T.Word(); {
	case in.Op == code.Send && word:
		ch, _ := r[x.I[0]].(*value.Words)
		return send(m, st, ch, n[x.I[1]])
	case in.Op == code.Send:
		ch, _ := r[x.I[0]].(*value.Chan)
		return send(m, st, ch, value.Pack(x.T, n[x.I[1]:], r[x.I[2]:]))
	case word:
		ch, _ := r[x.I[3]].(*value.Words)
		v, status, end := recv(m, st, ch)
		if status != wait.Empty {
			receivedWord(x, v, status == wait.Received, n)
		}
		return end
	}
	ch, _ := r[x.I[3]].(*value.Chan)
	v, status, end := recv(m, st, ch)
	if status != wait.Empty {
		received(x, v, status == wait.Received, n, r)
	}
	return end
}

// send sends a value, or waits until it can.
func send[V any](m *Machine, st *State, ch *wait.Chan[V], v V) step {
	if ch == nil || m.trial {
		return m.forever(st)
	}
	ok, w, err := ch.TrySend(v)
	if !ok {
		return refused(m, st, ch, v, err)
	}
	if !w.IsZero() {
		m.sched.Apply(w)
	}
	return next
}

// refused waits until a channel takes the value, or panics because it never will.
func refused[V any](m *Machine, st *State, ch *wait.Chan[V], v V, err error) step {
	if err != nil {
		return m.throw(st, m.plainError("send on closed channel"))
	}
	t, how := m.sched.BlockOn(ch.Source())
	if !how.LeavesCPU() {
		return m.finish(st) // it is to unwind, and the wait is over
	}
	if err := ch.ParkSend(t, v, 0); err != nil {
		panic(err) // it has just said that it would block
	}
	st.waits = sent
	return parked
}

// recv takes a value, or waits for one if there is none: the status is Empty then.
func recv[V any](m *Machine, st *State, ch *wait.Chan[V]) (v V, status wait.Status, end step) {
	if ch == nil || m.trial {
		return v, wait.Empty, m.forever(st)
	}
	v, status, w := ch.TryRecv()
	if status == wait.Empty {
		return v, status, m.awaitValue(st, ch)
	}
	if !w.IsZero() {
		m.sched.Apply(w)
	}
	return v, status, next
}

// receiver is a channel of whatever type.
type receiver interface {
	Source() fiber.Source
	ParkRecv(t fiber.Ticket, tag uint32) error
}

// awaitValue waits for a value of a channel that has none.
func (m *Machine) awaitValue(st *State, ch receiver) step {
	t, how := m.sched.BlockOn(ch.Source())
	if !how.LeavesCPU() {
		return m.finish(st) // it is to unwind, and the wait is over
	}
	if err := ch.ParkRecv(t, 0); err != nil {
		panic(err) // it has just said that it would block
	}
	st.waits = rest
	return parked
}

// receivedWord puts what a receive got, 0 if nothing, into registers.
func receivedWord(x *code.Aux, v uint64, ok bool, n []uint64) {
	n[x.I[0]] = v
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
}

// received puts what a receive got into registers; it is the zero value if nothing came.
func received(x *code.Aux, v value.Packed, ok bool, n []uint64, r []any) {
	v.Unpack(x.T, n[x.I[0]:], r[x.I[1]:])
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
}

// passWord is what the loop does itself, for machine code. C of a Recv is how many words are
// set: the second one tells whether a value came.
func (m *Machine) passWord(st *State, fr *frame, in *code.Instr) step {
	if in.Op == code.Send {
		return m.sendWord(st, fr, in)
	}
	return m.recvWord(st, fr, in)
}

// sendWord is send of one word, with nothing generic on the way to its wait. It stays out of the
// interpreter's loop.
//
//go:noinline
func (m *Machine) sendWord(st *State, fr *frame, in *code.Instr) step {
	if in.C == 0 {
		return m.cold(st)
	}
	ch, _ := st.ref[int(fr.rb)+int(in.B)].(*value.Words)
	if ch == nil || m.trial {
		return m.forever(st)
	}
	w := st.num[int(fr.nb)+int(in.A)]
	ok, wake, err := ch.TrySend(w)
	if ok {
		if !wake.IsZero() {
			m.sched.Apply(wake)
		}
		return next
	}
	if err != nil {
		return refused(m, st, ch, w, err)
	}
	t, how := m.sched.BlockOn(ch.Source())
	if !how.LeavesCPU() {
		return m.finish(st)
	}
	if err := ch.ParkSend(t, w, 0); err != nil {
		panic(err)
	}
	st.waits = sent
	return parked
}

// recvWord is recv of one word.
//
//go:noinline
func (m *Machine) recvWord(st *State, fr *frame, in *code.Instr) step {
	if in.C == 0 {
		return m.cold(st)
	}
	ch, _ := st.ref[int(fr.rb)+int(in.B)].(*value.Words)
	if ch == nil || m.trial {
		return m.forever(st)
	}
	v, status, wake := ch.TryRecv()
	if status == wait.Empty {
		return m.awaitValue(st, ch)
	}
	putWord(st, fr, in, v, status == wait.Received)
	if !wake.IsZero() {
		m.sched.Apply(wake)
	}
	return next
}

func putWord(st *State, fr *frame, in *code.Instr, v uint64, ok bool) {
	at := int(fr.nb) + int(in.A)
	st.num[at] = v
	if in.C > 1 {
		st.num[at+1] = word(ok)
	}
}

// finish is the second half of an instruction that has waited.
func (m *Machine) finish(st *State) step {
	t, res := m.sched.Claim()
	waited := st.waits
	if st.waits = none; waited == sent && res.Code == fiber.OK {
		return next
	}
	fr := st.top()
	in := &fr.fn.Code[fr.pc-1]
	switch {
	case res.Code >= fiber.Cancelled:
		return m.stopped(st, res.Code)
	case in.Op == code.Recv && in.C != 0:
		v, ok := st.ref[int(fr.rb)+int(in.B)].(*value.Words).Collect(t)
		putWord(st, fr, in, v, ok)
		return next
	}
	return m.finishOther(st, fr, in, t, res)
}

// finishOther is finish of what is not as frequent.
func (m *Machine) finishOther(st *State, fr *frame, in *code.Instr, t fiber.Ticket, res fiber.Result) step {
	n, r := st.window()
	switch in.Op {
	case code.Send:
		return m.throw(st, m.plainError("send on closed channel"))
	case code.Recv:
		x := &fr.fn.Aux[in.D]
		if x.T.Word() {
			v, ok := r[x.I[3]].(*value.Words).Collect(t)
			receivedWord(x, v, ok, n)
			return next
		}
		v, ok := r[x.I[3]].(*value.Chan).Collect(t)
		received(x, v, ok, n, r)
	case code.Select:
		return m.selected(st, &fr.fn.Aux[in.D], t, res, n, r)
	case code.Native:
		return m.resumeNative(st, in, t, res, n, r)
	}
	return next
}
