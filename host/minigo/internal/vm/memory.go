package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// memory executes the instructions that copy values of several registers and that make objects.
func (m *Machine) memory(st *State, in *code.Instr, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	if in.Op == code.New {
		m.charge(int(x.I[0] + x.I[1]))
		r[in.A] = value.NewObject(int(x.I[0]), int(x.I[1]))
		return next
	}
	from := in.B
	switch in.Op {
	case code.StoreV:
		from = in.A
	case code.LoadE, code.StoreE:
		from = in.C
	}
	o, ok := r[from].(*value.Object)
	if !ok {
		return m.throw(st, m.faultOf(nilPointer, 0, 0))
	}
	switch in.Op {
	case code.View:
		r[in.A] = o.View(int(x.I[0]), int(x.I[1]), int(x.I[2]), int(x.I[3]))
	case code.ViewE:
		i := int(n[in.C])
		r[in.A] = o.View(int(x.I[0])+i*int(x.I[4]), int(x.I[1])+i*int(x.I[5]), int(x.I[2]), int(x.I[3]))
	case code.Clone:
		m.charge(int(x.I[2] + x.I[3]))
		r[in.A] = o.Clone(int(x.I[0]), int(x.I[1]), int(x.I[2]), int(x.I[3]))
	case code.LoadV:
		m.charge(int(x.I[4] + x.I[5]))
		copy(n[x.I[0]:x.I[0]+x.I[4]], o.N[x.I[2]:])
		copy(r[x.I[1]:x.I[1]+x.I[5]], o.R[x.I[3]:])
	case code.StoreV:
		m.charge(int(x.I[4] + x.I[5]))
		copy(o.N[x.I[2]:], n[x.I[0]:x.I[0]+x.I[4]])
		copy(o.R[x.I[3]:], r[x.I[1]:x.I[1]+x.I[5]])
	case code.LoadE:
		m.charge(int(x.I[4] + x.I[5]))
		i := int32(n[in.B])
		copy(n[x.I[0]:x.I[0]+x.I[4]], o.N[x.I[2]+i*x.I[6]:])
		copy(r[x.I[1]:x.I[1]+x.I[5]], o.R[x.I[3]+i*x.I[7]:])
	case code.StoreE:
		m.charge(int(x.I[4] + x.I[5]))
		i := int32(n[in.B])
		copy(o.N[x.I[2]+i*x.I[6]:], n[x.I[0]:x.I[0]+x.I[4]])
		copy(o.R[x.I[3]+i*x.I[7]:], r[x.I[1]:x.I[1]+x.I[5]])
	}
	return next
}
