package vm

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// enter calls a function whose window begins at a and b of the top frame.
func (m *Machine) enter(st *State, fn *code.Func, clo *value.Closure, a, b int) step {
	fr := st.top()
	rb := int(fr.rb) + b
	if s := m.pushed(st, fn, int(fr.nb)+a, rb); s != called {
		return s
	}
	if fn.Clo >= 0 {
		st.ref[rb+fn.Clo] = clo
	}
	return called
}

// pushed calls a function with the registers from nb and rb on, or ends the program.
func (m *Machine) pushed(st *State, fn *code.Func, nb, rb int) step {
	if s, ok := m.roomToGrow(fn, st, nb, rb); !ok {
		return s
	}
	if !m.push(st, fn, nb, rb) {
		return m.overflow(st)
	}
	return called
}

// overflow ends the program: the call stack of a goroutine is too deep.
func (m *Machine) overflow(st *State) step {
	m.out = m.fatal(st, stackOverflow)
	return leaveSlice
}

// stackOverflow is Go's name for it.
const stackOverflow = "stack overflow"

// methodOf finds the method of an interface value.
func (m *Machine) methodOf(n []uint64, r []any, a, b, number int32) (*code.Func, value.Interface) {
	v := m.types.Interface(n[a:], r[b:])
	if v.T == nil {
		return nil, v
	}
	return v.T.Method(number), v
}

func (m *Machine) callMethod(st *State, in *code.Instr, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	fn, v := m.methodOf(n, r, int32(in.C), x.I[0], x.I[1])
	if fn == nil {
		return m.throw(st, m.faultOf(nilPointer, 0, 0))
	}
	s := m.enter(st, fn, nil, int(in.A), int(in.B))
	if s == called {
		setReceiver(st, fn, v)
	}
	return s
}

// setReceiver puts the value an interface holds where the top method expects it.
func setReceiver(st *State, fn *code.Func, v value.Interface) {
	fr := st.top()
	v.Unpack(v.T, st.num[int(fr.nb)+fn.RecvN:], st.ref[int(fr.rb)+fn.RecvR:])
}

// deferred is a function with its arguments, evaluated: what go and defer keep.
type deferred struct {
	fn  *code.Func
	clo *value.Closure
	n   []uint64 // results and arguments, as in the window
	r   []any
	v   value.Interface // the receiver of a method of an interface

	next, before *deferred // of the deferred calls of the fiber
}

// spawnMethod, in I[2] of a Go or Defer, says that the function is a method of an interface;
// 1 is a closure, 0 a function.
const spawnMethod = 2

// capture evaluates the function of a go or defer.
func (m *Machine) capture(x *code.Aux, n []uint64, r []any) (d deferred, ok bool) {
	switch x.I[2] {
	case 0:
		d.fn = x.F
	case 1:
		d.clo, _ = r[x.I[5]].(*value.Closure)
		if d.clo != nil {
			d.fn = d.clo.F
		}
	case spawnMethod:
		d.fn, d.v = m.methodOf(n, r, x.I[5], x.I[6], x.I[7])
	}
	d.n = n[x.I[0] : x.I[0]+x.I[3]]
	d.r = r[x.I[1] : x.I[1]+x.I[4]]
	return d, d.fn != nil
}

// keep copies a deferred call and its arguments out of the window.
func (m *Machine) keep(st *State, d deferred) *deferred {
	m.alloc(deferredBytes + bytesOf(len(d.n), len(d.r)))
	m.chargeValue(len(d.n), len(d.r))
	d.n = append([]uint64(nil), d.n...)
	d.r = append([]any(nil), d.r...)
	more := st.extra()
	if d.next = more.deferred; d.next != nil {
		d.next.before = &d
	}
	more.deferred = &d
	return &d
}

// taken removes a deferred call that begins from those that the fiber has.
func (d *deferred) taken(more *extra) {
	if d.next != nil {
		d.next.before = d.before
	}
	if d.before != nil {
		d.before.next = d.next
	} else {
		more.deferred = d.next
	}
	d.next, d.before = nil, nil
}

// fill puts the arguments into the window of the top frame.
func (d deferred) fill(st *State) {
	fr := st.top()
	copy(st.num[fr.nb:], d.n)
	copy(st.ref[fr.rb:], d.r)
	if d.fn.Clo >= 0 {
		st.ref[int(fr.rb)+d.fn.Clo] = d.clo
	}
	if d.v.T != nil {
		setReceiver(st, d.fn, d.v)
	}
}

func (m *Machine) spawn(st *State, x *code.Aux, n []uint64, r []any) (id fiber.RegularID, s step) {
	d, ok := m.capture(x, n, r)
	if !ok {
		m.out = m.fatal(st, "go of nil func value")
		return 0, leaveSlice
	}
	m.alloc(fiberBytes + bytesOf(d.fn.N, d.fn.R) + int(frameSize))
	m.chargeValue(d.fn.N, d.fn.R)
	var fresh State
	fresh.begin(d.fn)
	d.fill(&fresh)
	id, err := m.sched.Spawn(fresh)
	if err != nil {
		return 0, m.refused(st, err, m.plainError)
	}
	return id, next
}

// control executes the instructions that change frames or end a slice.
func (m *Machine) control(st *State, in *code.Instr, n []uint64, r []any) step {
	if m.trial && in.Op != code.Closure && in.Op != code.Native && in.Op != code.Point {
		return m.spoil()
	}
	switch in.Op {
	case code.Native:
		return m.native(st, in, n, r)
	case code.RetDefer:
		return m.retDefer(st)
	case code.Recover:
		m.recover(st, in, n, r)
		return next
	case code.Panic:
		return m.panicWith(st, m.types.Interface(n[in.A:], r[in.B:]))
	case code.Send, code.Recv:
		return m.pass(st, in, n, r)
	case code.Close:
		return m.close(st, r[in.A])
	case code.Yield:
		return m.yield()
	case code.Point:
		return m.point()
	case code.LenChan, code.CapChan:
		ch, _ := r[in.B].(value.AnyChan)
		n[in.A] = 0
		if ch != nil && in.Op == code.LenChan {
			n[in.A] = uint64(ch.Len())
		} else if ch != nil {
			n[in.A] = uint64(ch.Cap())
		}
		return next
	}
	x := &st.top().fn.Aux[in.D]
	switch in.Op {
	case code.Closure:
		m.alloc(closureBytes + len(x.List)*refBytes)
		c := &value.Closure{F: x.F}
		for _, s := range x.List {
			c.Caps = append(c.Caps, r[s.R])
		}
		r[in.A] = c
	case code.Go:
		_, s := m.spawn(st, x, n, r)
		return s
	case code.Defer:
		return m.deferCall(st, x, n, r)
	case code.Print:
		m.print(x, n, r)
	case code.MakeChan:
		return m.makeChan(st, in, x, n, r)
	case code.Select:
		return m.selectFrom(st, x, n, r)
	default:
		panic("minigo: no such instruction")
	}
	return next
}
