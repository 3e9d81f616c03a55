package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// memory executes the instructions that copy values of several registers and that make objects.
func (m *Machine) memory(st *State, in *code.Instr, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	if in.Op == code.New {
		words, refs := int(x.I[0]), int(x.I[1])
		if !m.quickObject(words, refs) {
			return m.newObject(st, words, refs, func(o *value.Object) { r[in.A] = o })
		}
		r[in.A] = m.made(value.NewObject(words, refs))
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
		m.alloc(value.ObjectBytes)
		r[in.A] = o.View(int(x.I[0]), int(x.I[1]), int(x.I[2]), int(x.I[3]))
	case code.ViewE:
		m.alloc(value.ObjectBytes)
		i := int(n[in.C])
		r[in.A] = o.View(int(x.I[0])+i*int(x.I[4]), int(x.I[1])+i*int(x.I[5]), int(x.I[2]), int(x.I[3]))
	case code.Clone:
		return m.clone(st, o, x, &r[in.A])
	case code.LoadV:
		m.chargeValue(int(x.I[4]), int(x.I[5]))
		copy(n[x.I[0]:x.I[0]+x.I[4]], o.N[x.I[2]:])
		copy(r[x.I[1]:x.I[1]+x.I[5]], o.R[x.I[3]:])
	case code.StoreV:
		m.chargeValue(int(x.I[4]), int(x.I[5]))
		copy(o.N[x.I[2]:], n[x.I[0]:x.I[0]+x.I[4]])
		copy(o.R[x.I[3]:], r[x.I[1]:x.I[1]+x.I[5]])
	case code.LoadE:
		m.chargeValue(int(x.I[4]), int(x.I[5]))
		i := int32(n[in.B])
		copy(n[x.I[0]:x.I[0]+x.I[4]], o.N[x.I[2]+i*x.I[6]:])
		copy(r[x.I[1]:x.I[1]+x.I[5]], o.R[x.I[3]+i*x.I[7]:])
	case code.StoreE:
		m.chargeValue(int(x.I[4]), int(x.I[5]))
		i := int32(n[in.B])
		copy(o.N[x.I[2]+i*x.I[6]:], n[x.I[0]:x.I[0]+x.I[4]])
		copy(o.R[x.I[3]+i*x.I[7]:], r[x.I[1]:x.I[1]+x.I[5]])
	}
	return next
}

// clone copies a part of an object: x is its offsets and sizes, and those of an element if it is an array,
// which is copied element by element so that another goroutine cannot tear one.
func (m *Machine) clone(st *State, o *value.Object, x *code.Aux, to *any) step {
	n, r := int(x.I[2]), int(x.I[3])
	if bytesOf(n, r) > value.PieceBytes && x.I[4]+x.I[5] > 0 {
		return m.cloneArray(st, o, x, to)
	}
	m.alloc(value.Bytes(n, r))
	m.chargeValue(n, r)
	*to = o.Clone(int(x.I[0]), int(x.I[1]), n, r)
	return next
}

func (m *Machine) cloneArray(st *State, o *value.Object, x *code.Aux, to *any) step {
	n, r := int(x.I[2]), int(x.I[3])
	en, er := int(x.I[4]), int(x.I[5])
	count := r / max(er, 1)
	if en > 0 {
		count = n / en
	}
	return m.paced(st, value.Bytes(n, r), 2*bytesOf(n, r), func(p *value.Pace) func() step {
		c := value.NewZeroed(p, n, r)
		p.Pieces(0, count, bytesOf(en, er), func(lo, hi int) {
			copy(c.N[lo*en:hi*en], o.N[int(x.I[0])+lo*en:])
			copy(c.R[lo*er:hi*er], o.R[int(x.I[1])+lo*er:])
		})
		*to = c
		return goOn
	})
}
