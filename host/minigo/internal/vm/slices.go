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
		return m.appendString(st, x, n, r)
	case code.Copy:
		d, s := sliceAt(n, r, int(x.I[1]), int(x.I[2])), sliceAt(n, r, int(x.I[3]), int(x.I[4]))
		n[x.I[0]] = uint64(min(d.Len, s.Len))
		return m.copyElements(st, x.T, d, s)
	case code.CopyStr:
		d, s := sliceAt(n, r, int(x.I[1]), int(x.I[2])), value.Str(r[x.I[4]])
		k := min(d.Len, len(s))
		n[x.I[0]] = uint64(k)
		return m.copyText(st, d, s[:k])
	case code.ClearS:
		return m.clearSlice(st, x.T, sliceAt(n, r, int(in.A), int(in.B)))
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
	words, refs := int(capacity)*int(x.I[4]), int(capacity)*int(x.I[5])
	if m.quickObject(words, refs) {
		o := m.made(value.NewObject(words, refs))
		setSlice(n, r, int(x.I[0]), int(x.I[1]), lib.Slice{Object: o, Len: int(size), Cap: int(capacity)})
		return next
	}
	return m.newObject(st, words, refs, func(o *value.Object) {
		setSlice(n, r, int(x.I[0]), int(x.I[1]), lib.Slice{Object: o, Len: int(size), Cap: int(capacity)})
	})
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
