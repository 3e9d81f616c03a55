package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// ifaces executes the instructions on interfaces.
func (m *Machine) ifaces(st *State, in *code.Instr, n []uint64, r []any) step {
	if in.Op == code.TypeNum {
		if n[in.B] == 0 {
			return m.throw(st, m.faultOf(nilPointer, 0, 0))
		}
		n[in.A] = n[in.B]
		return next
	}
	x := &st.top().fn.Aux[in.D]
	switch in.Op {
	case code.Box:
		m.allocPacked(x.T)
		p := value.Pack(x.T, n[x.I[0]:], r[x.I[1]:])
		n[in.A], n[in.A+1], r[in.B] = uint64(x.T.ID), p.W, p.R
	case code.TypeIs:
		n[in.B] = word(holds(m.types.At(n[in.A]), x.T))
	case code.Unbox:
		return m.unbox(st, x, n, r)
	case code.Assert:
		return m.assert(st, x, n, r)
	}
	return next
}

// holds reports whether an interface value of that type has, or implements, the other type.
func holds(have, want *code.Type) bool {
	switch {
	case have == nil:
		return false
	case want.Kind == code.Interface:
		_, ok := have.Implements(want)
		return ok
	}
	return have == want
}

func (m *Machine) unbox(st *State, x *code.Aux, n []uint64, r []any) step {
	have := m.types.At(n[x.I[3]])
	ok := have == x.T
	switch {
	case ok:
		m.chargeValue(x.T.N, x.T.R)
		value.Packed{W: n[x.I[3]+1], R: r[x.I[4]]}.Unpack(x.T, n[x.I[0]:], r[x.I[1]:])
	case x.I[2] < 0:
		return m.throw(st, m.conversionError(&value.Missing{From: x.U, Want: x.T, Have: have}))
	default:
		clear(n[x.I[0] : int(x.I[0])+x.T.N])
		clear(r[x.I[1] : int(x.I[1])+x.T.R])
	}
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
	return next
}

func (m *Machine) assert(st *State, x *code.Aux, n []uint64, r []any) step {
	have := m.types.At(n[x.I[3]])
	ok := holds(have, x.T)
	switch {
	case ok:
		n[x.I[0]], n[x.I[0]+1], r[x.I[1]] = n[x.I[3]], n[x.I[3]+1], r[x.I[4]]
	case x.I[2] < 0:
		miss := &value.Missing{From: x.U, Want: x.T, Have: have}
		if have != nil {
			number, _ := have.Implements(x.T)
			miss.Method = m.prog.Methods[number]
		}
		return m.throw(st, m.conversionError(miss))
	default:
		n[x.I[0]], n[x.I[0]+1], r[x.I[1]] = 0, 0, nil
	}
	if x.I[2] >= 0 {
		n[x.I[2]] = word(ok)
	}
	return next
}
