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
		m.alloc(value.MapBytes)
		mp := value.NewMap(st.top().fn.Aux[in.D].T)
		m.watcher.madeWhole(mp)
		r[in.A] = mp
		return next
	case code.MapLen:
		n[in.A] = 0
		if mp, ok := r[in.B].(*value.Map); ok {
			n[in.A] = uint64(mp.Len())
		}
		return next
	case code.MapClr:
		if mp, ok := r[in.A].(*value.Map); ok {
			mp.Clear()
		}
		return next
	case code.MapIter:
		mp, _ := r[in.B].(*value.Map)
		m.alloc(iteratorBytes)
		r[in.A] = value.NewIterator(mp)
		return next
	}
	x := &st.top().fn.Aux[in.D]
	if in.Op == code.MapNext {
		return m.mapNext(st, x, n, r)
	}
	mp, _ := r[x.I[3]].(*value.Map)
	if mp == nil {
		return m.nilMap(st, in.Op, x, n, r)
	}
	kn, kr := n[x.I[4]:], r[x.I[5]:]
	if e, work, ok := mp.Quick(kn, kr); ok {
		m.charge(work)
		switch in.Op {
		case code.MapGet:
			return m.mapGet(x, mp, e, n, r)
		case code.MapSet:
			return m.mapSet(x, mp, e, n, r)
		}
		if e.At >= 0 {
			mp.Delete(e)
		}
		return next
	}
	return m.findSlowly(st, in, x, mp, n, r)
}

// findSlowly executes an instruction whose key is composite or long.
func (m *Machine) findSlowly(st *State, in *code.Instr, x *code.Aux, mp *value.Map, n []uint64, r []any) step {
	kn, kr := n[x.I[4]:], r[x.I[5]:]
	w := value.Walk{}
	e, err := mp.Find(m.types, &w, kn, kr)
	if err == value.ErrLong {
		return m.suspendable(st, 0, func(p *value.Pace) func() step {
			w := value.Walk{Pace: p}
			e, err := mp.Find(m.types, &w, kn, kr)
			return func() step { return m.withEntry(st, in.Op, x, mp, e, err, n, r) }
		})
	}
	m.spend(w.Steps)
	return m.withEntry(st, in.Op, x, mp, e, err, n, r)
}

// nilMap executes an instruction on a nil map.
func (m *Machine) nilMap(st *State, op code.Op, x *code.Aux, n []uint64, r []any) step {
	switch op {
	case code.MapGet:
		return m.mapGet(x, nil, value.Entry{At: -1}, n, r)
	case code.MapSet:
		return m.throw(st, m.plainError("assignment to entry in nil map"))
	}
	return next
}

// withEntry executes an instruction whose key has been looked for.
func (m *Machine) withEntry(st *State, op code.Op, x *code.Aux, mp *value.Map, e value.Entry, err error, n []uint64, r []any) step {
	switch {
	case err != nil:
		return m.incomparable(st, err)
	case !mp.Current(e): // another goroutine has changed the map meanwhile
		st.top().pc--
		return next
	case op == code.MapGet:
		return m.mapGet(x, mp, e, n, r)
	case op == code.MapSet:
		return m.mapSet(x, mp, e, n, r)
	case e.At >= 0: // MapDel
		mp.Delete(e)
	}
	return next
}

func (m *Machine) mapGet(x *code.Aux, mp *value.Map, e value.Entry, n []uint64, r []any) step {
	t := x.T.Elem
	m.chargeValue(t.N, t.R)
	if e.At >= 0 {
		vn, vr := mp.Value(e.At)
		copy(n[x.I[0]:], vn)
		copy(r[x.I[1]:], vr)
	} else {
		clear(n[x.I[0] : int(x.I[0])+t.N])
		clear(r[x.I[1] : int(x.I[1])+t.R])
	}
	if x.I[2] >= 0 {
		n[x.I[2]] = word(e.At >= 0)
	}
	return next
}

func (m *Machine) mapSet(x *code.Aux, mp *value.Map, e value.Entry, n []uint64, r []any) step {
	if e.At < 0 {
		m.alloc(mp.EntryBytes())
		e.At = mp.Insert(e, n[x.I[4]:], r[x.I[5]:])
	}
	t := x.T.Elem
	m.chargeValue(t.N, t.R)
	vn, vr := mp.Value(e.At)
	copy(vn, n[x.I[0]:int(x.I[0])+t.N])
	copy(vr, r[x.I[1]:int(x.I[1])+t.R])
	return next
}

func (m *Machine) mapNext(st *State, x *code.Aux, n []uint64, r []any) step {
	it := r[x.I[0]].(*value.Iterator)
	at := it.Next()
	switch at {
	case value.End:
		st.top().pc += x.I[5]
		return called
	case value.More:
		m.spend(value.PieceBytes / value.StepBytes)
		st.top().pc--
		return next
	}
	mp := it.Map()
	m.chargeValue(x.T.Key.N+x.T.Elem.N, x.T.Key.R+x.T.Elem.R)
	kn, kr := mp.Key(at)
	copy(n[x.I[1]:], kn)
	copy(r[x.I[2]:], kr)
	if x.I[3] >= 0 {
		vn, vr := mp.Value(at)
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
