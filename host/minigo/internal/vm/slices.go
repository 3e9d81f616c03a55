package vm

import (
	"math"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// maxCells is the size of the largest object, in words and references.
const maxCells = 1 << 27

// maxEmpty is the longest slice of zero-size elements.
const maxEmpty = math.MaxInt>>1 + 1

// slices executes the instructions on slices.
func (m *Machine) slices(st *State, in *code.Instr, n []uint64, r []any) step {
	switch in.Op {
	case code.ShiftOK:
		if int64(n[in.A]) < 0 {
			return m.throw(st, m.faultOf(negativeShift, 0, 0))
		}
		return next
	case code.MinMaxF:
		x, y := math.Float64frombits(n[in.B]), math.Float64frombits(n[in.C])
		if in.D != 0 {
			n[in.A] = math.Float64bits(max(x, y))
		} else {
			n[in.A] = math.Float64bits(min(x, y))
		}
		return next
	}
	x := &st.top().fn.Aux[in.D]
	switch in.Op {
	case code.MakeSlice:
		return m.makeSlice(st, x, n, r)
	case code.SliceOf:
		return m.sliceOf(st, x, n, r)
	case code.SliceArr:
		return m.sliceArray(st, x, n, r)
	case code.Append:
		return m.appendOne(st, x, n, r)
	case code.AppendS:
		return m.appendAll(st, x, n, r, sliceAt(n, r, int(x.I[4]), int(x.I[5])))
	case code.AppendStr:
		return m.appendAll(st, x, n, r, lib.FromBytes([]byte(value.Str(r[x.I[5]]))))
	case code.Copy:
		d, s := sliceAt(n, r, int(x.I[1]), int(x.I[2])), sliceAt(n, r, int(x.I[3]), int(x.I[4]))
		k := copyCells(x.T, d, s)
		m.charge(k * (x.T.N + x.T.R))
		n[x.I[0]] = uint64(k)
	case code.CopyStr:
		d, s := sliceAt(n, r, int(x.I[1]), int(x.I[2])), value.Str(r[x.I[4]])
		k := min(d.Len, len(s))
		for i := range k {
			d.N[d.Off+i] = uint64(s[i])
		}
		m.charge(k)
		n[x.I[0]] = uint64(k)
	case code.ClearS:
		s := sliceAt(n, r, int(in.A), int(in.B))
		if s.Object != nil {
			m.charge(s.Len * (x.T.N + x.T.R))
			clear(s.N[s.Off*x.T.N : (s.Off+s.Len)*x.T.N])
			clear(s.R[s.Off*x.T.R : (s.Off+s.Len)*x.T.R])
		}
	}
	return next
}

func (m *Machine) makeSlice(st *State, x *code.Aux, n []uint64, r []any) step {
	size, capacity := n[x.I[2]], n[x.I[3]]
	most := uint64(maxEmpty)
	if cells := uint64(x.I[4] + x.I[5]); cells > 0 {
		most = maxCells / cells
	}
	switch {
	case size > most:
		return m.throw(st, m.runtimeError("makeslice: len out of range"))
	case capacity < size || capacity > most:
		return m.throw(st, m.runtimeError("makeslice: cap out of range"))
	}
	o := value.NewObject(int(capacity)*int(x.I[4]), int(capacity)*int(x.I[5]))
	m.charge(len(o.N) + len(o.R))
	setSlice(n, r, int(x.I[0]), int(x.I[1]), lib.Slice{Object: o, Len: int(size), Cap: int(capacity)})
	return next
}

// bounds fills in the omitted bounds of a slice expression.
func bounds(n []uint64, lo, hi, top int32, length, capacity uint64) (l, h, c uint64) {
	l, h, c = 0, length, capacity
	if lo >= 0 {
		l = n[lo]
	}
	if hi >= 0 {
		h = n[hi]
	}
	if top >= 0 {
		c = n[top]
	}
	return l, h, c
}

func (m *Machine) sliceOf(st *State, x *code.Aux, n []uint64, r []any) step {
	s := sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	l, h, c := bounds(n, x.I[4], x.I[5], x.I[6], uint64(s.Len), uint64(s.Cap))
	if bad := m.badBounds(l, h, c, uint64(s.Cap), x.I[6] >= 0, [2]faultKind{sliceCapacity, slice3Capacity}); bad != nil {
		return m.throw(st, bad)
	}
	setSlice(n, r, int(x.I[0]), int(x.I[1]), lib.Slice{Object: s.Object, Off: s.Off + int(l), Len: int(h - l), Cap: int(c - l)})
	return next
}

func (m *Machine) sliceArray(st *State, x *code.Aux, n []uint64, r []any) step {
	o, ok := r[x.I[2]].(*value.Object)
	if !ok {
		return m.throw(st, m.faultOf(nilPointer, 0, 0))
	}
	size := uint64(x.I[6])
	l, h, c := bounds(n, x.I[3], x.I[4], x.I[5], size, size)
	if bad := m.badBounds(l, h, c, size, x.I[5] >= 0, [2]faultKind{sliceLength, slice3Length}); bad != nil {
		return m.throw(st, bad)
	}
	setSlice(n, r, int(x.I[0]), int(x.I[1]), lib.Slice{Object: o, Off: int(l), Len: int(h - l), Cap: int(c - l)})
	return next
}

// badBounds is the panic of a slice expression; whole is its message if the high bound, or the
// third one, is out of range.
func (m *Machine) badBounds(l, h, c, end uint64, three bool, whole [2]faultKind) *thrown {
	switch {
	case three && c > end:
		return m.faultOf(whole[1], c, end)
	case three && h > c:
		return m.faultOf(slice3Order, h, c)
	case three && l > h:
		return m.faultOf(slice3Low, l, h)
	case h > end:
		return m.faultOf(whole[0], h, end)
	case l > h:
		return m.faultOf(sliceOrder, l, h)
	}
	return nil
}

// room returns the slice with capacity for more elements.
func (m *Machine) room(t *code.Type, s lib.Slice, more int) lib.Slice {
	need := s.Len + more
	if s.Object != nil && need <= s.Cap {
		return s
	}
	capacity := max(need, 2*s.Cap)
	if s.Cap > 256 {
		capacity = max(need, s.Cap+(s.Cap+3*256)/4)
	}
	o := value.NewObject(capacity*t.N, capacity*t.R)
	m.charge(len(o.N) + len(o.R))
	if s.Object != nil {
		copy(o.N, s.N[s.Off*t.N:(s.Off+s.Len)*t.N])
		copy(o.R, s.R[s.Off*t.R:(s.Off+s.Len)*t.R])
	}
	return lib.Slice{Object: o, Len: s.Len, Cap: capacity}
}

// fits reports whether a slice may have so many more elements.
func fits(t *code.Type, length, more int) bool {
	most := maxEmpty
	if !t.Empty() {
		most = maxCells / (t.N + t.R)
	}
	return more <= most-length
}

// tooLong is the panic of an append beyond the largest object.
func (m *Machine) tooLong(st *State) step {
	return m.throw(st, m.runtimeError("growslice: len out of range"))
}

func (m *Machine) appendOne(st *State, x *code.Aux, n []uint64, r []any) step {
	t := x.T
	s := sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	if !fits(t, s.Len, 1) {
		return m.tooLong(st)
	}
	s = m.room(t, s, 1)
	end := s.Off + s.Len
	if t.N == 1 {
		s.N[end] = n[x.I[4]]
	} else {
		copy(s.N[end*t.N:], n[x.I[4]:int(x.I[4])+t.N])
	}
	copy(s.R[end*t.R:], r[x.I[5]:int(x.I[5])+t.R])
	s.Len++
	setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
	return next
}

func (m *Machine) appendAll(st *State, x *code.Aux, n []uint64, r []any, more lib.Slice) step {
	t := x.T
	s := sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	if !fits(t, s.Len, more.Len) {
		return m.tooLong(st)
	}
	m.charge(more.Len * (t.N + t.R))
	if more.Len > 0 {
		s = m.room(t, s, more.Len)
		end := s.Off + s.Len
		copy(s.N[end*t.N:], more.N[more.Off*t.N:(more.Off+more.Len)*t.N])
		copy(s.R[end*t.R:], more.R[more.Off*t.R:(more.Off+more.Len)*t.R])
		s.Len += more.Len
	}
	setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
	return next
}

func copyCells(t *code.Type, d, s lib.Slice) int {
	k := min(d.Len, s.Len)
	if k > 0 {
		copy(d.N[d.Off*t.N:(d.Off+k)*t.N], s.N[s.Off*t.N:])
		copy(d.R[d.Off*t.R:(d.Off+k)*t.R], s.R[s.Off*t.R:])
	}
	return k
}
