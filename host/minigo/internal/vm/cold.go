package vm

import (
	"math"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// step is how the loop continues after an instruction that it does not execute itself.
type step uint8

const (
	next       step = iota // with the top frame
	called                 // the frames have changed
	leaveSlice             // the slice ends with Machine.out
	parked                 // the fiber waits or has yielded, and no fiber is current
)

// cold executes an instruction outside the loop: the one before the PC of the top frame.
func (m *Machine) cold(st *State) step {
	fr := st.top()
	in := &fr.fn.Code[fr.pc-1]
	if in.C != 0 && (in.Op == code.Send || in.Op == code.Recv) {
		return m.passWord(st, fr, in)
	}
	n, r := st.window()
	switch op := in.Op; {
	case op < code.Cold:
		return m.lukewarm(st, in, n, r)
	case op <= code.EqIfc:
		return m.compare(st, in, n, r)
	case op <= code.New:
		return m.memory(st, in, n, r)
	case op <= code.NextRune:
		return m.text(st, in, n, r)
	case op <= code.ShiftOK:
		return m.slices(st, in, n, r)
	case op <= code.TypeNum:
		return m.ifaces(st, in, n, r)
	case op <= code.MapNext:
		return m.maps(st, in, n, r)
	case op <= code.Halt:
		return m.control(st, in, n, r)
	case op == code.Watch:
		return m.watch(st, in)
	case op == code.Sampled:
		return m.sampled(st)
	}
	panic("minigo: no such instruction")
}

// lukewarm executes the simple instructions that are not worth a place in the loop.
func (m *Machine) lukewarm(st *State, in *code.Instr, n []uint64, r []any) step {
	float := math.Float64frombits
	switch in.Op {
	case code.MovNs:
		copy(n[in.A:in.A+in.C], n[in.B:in.B+in.C])
	case code.MovRs:
		copy(r[in.A:in.A+in.C], r[in.B:in.B+in.C])
	case code.ZeroN:
		clear(n[in.A : in.A+in.C])
	case code.ZeroR:
		clear(r[in.A : in.A+in.C])
	case code.DivU:
		if n[in.C] == 0 {
			return m.throw(st, m.faultOf(divideByZero, 0, 0))
		}
		n[in.A] = n[in.B] / n[in.C]
	case code.RemU:
		if n[in.C] == 0 {
			return m.throw(st, m.faultOf(divideByZero, 0, 0))
		}
		n[in.A] = n[in.B] % n[in.C]
	case code.Sext8:
		n[in.A] = uint64(int64(int8(n[in.B])))
	case code.Flip:
		n[in.A] = n[in.B] ^ 1
	case code.Ne:
		n[in.A] = word(n[in.B] != n[in.C])
	case code.LeI:
		n[in.A] = word(int64(n[in.B]) <= int64(n[in.C]))
	case code.LtU:
		n[in.A] = word(n[in.B] < n[in.C])
	case code.LeU:
		n[in.A] = word(n[in.B] <= n[in.C])
	case code.Sext16:
		n[in.A] = uint64(int64(int16(n[in.B])))
	case code.Zext16:
		n[in.A] = uint64(uint16(n[in.B]))
	case code.AndNot:
		n[in.A] = n[in.B] &^ n[in.C]
	case code.Not:
		n[in.A] = ^n[in.B]
	case code.NegF:
		n[in.A] = math.Float64bits(-float(n[in.B]))
	case code.Rnd32:
		n[in.A] = math.Float64bits(float64(float32(float(n[in.B]))))
	case code.ItoF: // to a float32
		n[in.A] = math.Float64bits(float64(float32(int64(n[in.B]))))
	case code.UtoF:
		n[in.A] = math.Float64bits(float64(n[in.B]))
		if in.D != 0 {
			n[in.A] = math.Float64bits(float64(float32(n[in.B])))
		}
	case code.FtoI:
		n[in.A] = truncate(float(n[in.B]), in.D != 0)
	case code.FtoU:
		n[in.A] = truncateU(float(n[in.B]))
	case code.EqF:
		n[in.A] = word(float(n[in.B]) == float(n[in.C]))
	case code.NeF:
		n[in.A] = word(float(n[in.B]) != float(n[in.C]))
	case code.LtF:
		n[in.A] = word(float(n[in.B]) < float(n[in.C]))
	case code.LeF:
		n[in.A] = word(float(n[in.B]) <= float(n[in.C]))
	case code.SetP0:
		if r[in.A] == nil {
			return m.throw(st, m.faultOf(nilPointer, 0, 0))
		}
	case code.ElemR, code.SElemR:
		o, ok := r[in.C].(*value.Object)
		if !ok {
			return m.throw(st, m.faultOf(nilPointer, 0, 0))
		}
		at := &o.R[n[in.B]*uint64(in.D>>16)+uint64(in.D&0xffff)]
		if in.Op == code.ElemR {
			r[in.A] = *at
		} else {
			*at = r[in.A]
		}
	case code.CallC:
		c, ok := r[in.C].(*value.Closure)
		if !ok {
			return m.throw(st, m.faultOf(nilPointer, 0, 0))
		}
		return m.enter(st, c.F, c, int(in.A), int(in.B))
	case code.CallI:
		return m.callMethod(st, in, n, r)
	}
	return next
}

// compare executes the comparisons of references.
func (m *Machine) compare(st *State, in *code.Instr, n []uint64, r []any) step {
	switch in.Op {
	case code.Spend:
		m.spend(int(in.D))
	case code.EqS, code.LtS, code.LeS:
		return m.compareStrings(st, in, n, r)
	case code.EqR:
		n[in.A] = word(r[in.B] == r[in.C])
	case code.EqP:
		n[in.A] = word(value.SamePointer(r[in.B], r[in.C]))
	case code.EqT:
		x := &st.top().fn.Aux[in.D]
		w := value.Walk{}
		eq, err := m.types.Equal(&w, x.T, n[x.I[0]:], r[x.I[1]:], n[x.I[2]:], r[x.I[3]:])
		return m.compared(st, in, w.Steps, eq, err, n, r)
	case code.EqIfc:
		x := &st.top().fn.Aux[in.D]
		a, b := m.types.Interface(n[in.B:], r[x.I[0]:]), m.types.Interface(n[in.C:], r[x.I[1]:])
		if a.T == nil || a.T != b.T {
			n[in.A] = word(a.T == b.T)
			return next
		}
		w := value.Walk{}
		eq, err := m.types.EqualInterfaces(&w, a, b)
		return m.compared(st, in, w.Steps, eq, err, n, r)
	}
	return next
}
