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
	m.alloc(channelBytes)
	ch := value.NewChan(x.T, int(n[in.B]))
	m.watcher.madeWhole(ch.Source())
	r[in.A] = ch
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
	m.spend(len(wakes))
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

// yield lets the other ready fibers run first.
func (m *Machine) yield() step {
	if m.trial {
		return m.spoil()
	}
	m.sched.YieldCurrent()
	return parked
}

// point lets another fiber run first if the explorer chooses so.
func (m *Machine) point() step {
	if !m.trial && m.sched.Choices().Point() {
		return m.yield()
	}
	return next
}

// forever blocks on nothing: select {} or a nil channel.
func (m *Machine) forever(st *State) step {
	if m.trial {
		return m.spoil()
	}
	m.sched.ArmForQueue()
	return m.block(st)
}

// pass is a Send or a Recv outside the loop's fast path.
func (m *Machine) pass(st *State, in *code.Instr, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	switch word := x.T.Word(); {
	case in.Op == code.Send && word:
		ch, _ := r[x.I[0]].(*value.Words)
		return send(m, st, ch, n[x.I[1]])
	case in.Op == code.Send:
		ch, _ := r[x.I[0]].(*value.Chan)
		m.allocPacked(x.T)
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
		return sendLater(m, st, ch, v, err)
	}
	if !w.IsZero() {
		m.sched.Apply(w)
	} else {
		m.alloc(wordBytes + refBytes)
	}
	return next
}

// sendLater waits until a channel accepts the value, or panics if the channel is closed.
func sendLater[V any](m *Machine, st *State, ch *wait.Chan[V], v V, err error) step {
	if err != nil {
		return m.throw(st, m.plainError("send on closed channel"))
	}
	t, how := m.sched.BlockOn(ch.Source())
	if !how.LeavesCPU() {
		return m.finish(st) // the wait is over because the fiber must unwind
	}
	if err := ch.ParkSend(t, v, 0); err != nil {
		panic(err) // the channel has just reported that it would block
	}
	st.waits = sent
	return parked
}

// recv receives a value; if there is none, the status is Empty and the fiber waits.
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

// receiver is a channel of any element type.
type receiver interface {
	Source() fiber.Source
	ParkRecv(t fiber.Ticket, tag uint32) error
}

// awaitValue waits for a value of an empty channel.
func (m *Machine) awaitValue(st *State, ch receiver) step {
	t, how := m.sched.BlockOn(ch.Source())
	if !how.LeavesCPU() {
		return m.finish(st) // the wait is over because the fiber must unwind
	}
	if err := ch.ParkRecv(t, 0); err != nil {
		panic(err) // the channel has just reported that it would block
	}
	st.waits = rest
	return parked
}

// receivedWord puts a received word, 0 if the channel is closed, into registers.
func receivedWord(x *code.Aux, v uint64, ok bool, n []uint64) {
	n[x.I[0]] = v
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
}

// received puts a received value into registers: the zero value if the channel is closed.
func received(x *code.Aux, v value.Packed, ok bool, n []uint64, r []any) {
	v.Unpack(x.T, n[x.I[0]:], r[x.I[1]:])
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
}

// passWord is the fast path of the loop, for machine code. C of a Recv is how many words it sets:
// the second one reports whether a value came.
func (m *Machine) passWord(st *State, fr *frame, in *code.Instr) step {
	if in.Op == code.Send {
		return m.sendWord(st, fr, in)
	}
	return m.recvWord(st, fr, in)
}

// sendWord sends one word, without generic code on the way to its wait. It stays out of the
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
		} else {
			m.alloc(wordBytes)
		}
		return next
	}
	if err != nil {
		return sendLater(m, st, ch, w, err)
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

// recvWord receives one word.
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

// finishOther finishes the less frequent instructions.
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
