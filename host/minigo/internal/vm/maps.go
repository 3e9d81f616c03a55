package vm

import (
	"errors"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// maps executes the instructions on maps.
func (m *Machine) maps(st *State, in *code.Instr, n []uint64, r []any) step {
	switch in.Op {
	case code.MakeMap:
		r[in.A] = value.NewMap(st.top().fn.Aux[in.D].T)
		return next
	case code.MapLen:
		n[in.A] = 0
		if mp, ok := r[in.B].(*value.Map); ok {
			n[in.A] = uint64(mp.Len())
		}
		return next
	case code.MapClr:
		if mp, ok := r[in.A].(*value.Map); ok {
			m.charge(mp.Len())
			mp.Clear()
		}
		return next
	case code.MapIter:
		mp, _ := r[in.B].(*value.Map)
		r[in.A] = value.NewIterator(mp)
		return next
	}
	x := &st.top().fn.Aux[in.D]
	if in.Op == code.MapNext {
		return m.mapNext(st, x, n, r)
	}
	mp, _ := r[x.I[3]].(*value.Map)
	kn, kr := n[x.I[4]:], r[x.I[5]:]
	switch in.Op {
	case code.MapGet:
		return m.mapGet(st, x, mp, kn, kr, n, r)
	case code.MapSet:
		return m.mapSet(st, x, mp, kn, kr, n, r)
	}
	if mp != nil { // MapDel
		w := value.Walk{}
		err := mp.Delete(m.types, &w, kn, kr)
		if m.charge(w.Steps); err != nil {
			return m.incomparable(st, err)
		}
	}
	return next
}

func (m *Machine) mapGet(st *State, x *code.Aux, mp *value.Map, kn []uint64, kr []any, n []uint64, r []any) step {
	e := x.T.Elem
	i := -1
	if mp != nil {
		var err error
		w := value.Walk{}
		i, err = mp.Find(m.types, &w, kn, kr)
		if m.charge(w.Steps); err != nil {
			return m.incomparable(st, err)
		}
	}
	if i >= 0 {
		vn, vr := mp.Value(i)
		copy(n[x.I[0]:], vn)
		copy(r[x.I[1]:], vr)
	} else {
		clear(n[x.I[0] : int(x.I[0])+e.N])
		clear(r[x.I[1] : int(x.I[1])+e.R])
	}
	if x.I[2] >= 0 {
		n[x.I[2]] = word(i >= 0)
	}
	return next
}

func (m *Machine) mapSet(st *State, x *code.Aux, mp *value.Map, kn []uint64, kr []any, n []uint64, r []any) step {
	if mp == nil {
		return m.throw(st, m.plainError("assignment to entry in nil map"))
	}
	w := value.Walk{}
	i, err := mp.Find(m.types, &w, kn, kr)
	if err == nil && i < 0 {
		i, err = mp.Insert(m.types, &w, kn, kr)
	}
	if m.charge(w.Steps); err != nil {
		return m.incomparable(st, err)
	}
	e := x.T.Elem
	vn, vr := mp.Value(i)
	copy(vn, n[x.I[0]:int(x.I[0])+e.N])
	copy(vr, r[x.I[1]:int(x.I[1])+e.R])
	return next
}

func (m *Machine) mapNext(st *State, x *code.Aux, n []uint64, r []any) step {
	it := r[x.I[0]].(*value.Iterator)
	from := it.At()
	mp, i := it.Next()
	m.charge(it.At() - from)
	if i < 0 {
		st.top().pc += x.I[5]
		return called
	}
	kn, kr := mp.Key(i)
	copy(n[x.I[1]:], kn)
	copy(r[x.I[2]:], kr)
	if x.I[3] >= 0 {
		vn, vr := mp.Value(i)
		copy(n[x.I[3]:], vn)
		copy(r[x.I[4]:], vr)
	}
	return next
}

// incomparable is the panic of a fiber that compares, or uses as a key, a value that is not
// comparable.
func (m *Machine) incomparable(st *State, err error) step {
	if errors.Is(err, value.ErrUnbounded) {
		m.out = m.fatal(st, err.Error())
		return leaveSlice
	}
	return m.throw(st, m.runtimeError(err.Error()))
}
