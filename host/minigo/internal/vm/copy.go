package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// quickObject counts an object that is made at once, unless it is too large.
func (m *Machine) quickObject(n, r int) bool {
	size := bytesOf(n, r)
	if size > value.PieceBytes {
		return false
	}
	if n+r > smallValue {
		m.charge(size)
	}
	m.alloc(value.ObjectBytes + size)
	return true
}

// newObject makes a large object; use is called with it.
func (m *Machine) newObject(st *State, n, r int, use func(*value.Object)) step {
	return m.paced(st, value.Bytes(n, r), bytesOf(n, r), func(p *value.Pace) func() step {
		use(value.NewZeroed(p, n, r))
		return goOn
	})
}

// copyElements copies the elements of a slice to another one.
func (m *Machine) copyElements(st *State, t *code.Type, d, s lib.Slice) step {
	size := min(d.Len, s.Len) * bytesOf(t.N, t.R)
	if size > value.PieceBytes {
		return m.paced(st, 0, size, func(p *value.Pace) func() step {
			copyPaced(p, t, d, s)
			return goOn
		})
	}
	m.charge(size)
	copyAtOnce(t, d, s)
	return next
}

// copyAtOnce copies few elements.
func copyAtOnce(t *code.Type, d, s lib.Slice) {
	k := min(d.Len, s.Len)
	if k == 0 || t.Empty() {
		return
	}
	copy(d.N[d.Off*t.N:(d.Off+k)*t.N], s.N[s.Off*t.N:])
	copy(d.R[d.Off*t.R:(d.Off+k)*t.R], s.R[s.Off*t.R:])
}

// copyPaced copies elements piece by piece, in the order that overlapping slices need.
func copyPaced(p *value.Pace, t *code.Type, d, s lib.Slice) {
	k := min(d.Len, s.Len)
	if size := k * bytesOf(t.N, t.R); size <= value.PieceBytes {
		copyAtOnce(t, d, s)
		p.Spend(size)
		return
	}
	each := p.Pieces
	if d.Object == s.Object && d.Off > s.Off {
		each = p.Backward
	}
	each(0, k, bytesOf(t.N, t.R), func(lo, hi int) {
		copy(d.N[(d.Off+lo)*t.N:(d.Off+hi)*t.N], s.N[(s.Off+lo)*t.N:])
		copy(d.R[(d.Off+lo)*t.R:(d.Off+hi)*t.R], s.R[(s.Off+lo)*t.R:])
	})
}

// copyText copies a string into a slice of bytes.
func (m *Machine) copyText(st *State, d lib.Slice, s string) step {
	if len(s)*wordBytes <= value.PieceBytes {
		m.charge(len(s) * wordBytes)
		copyTextPaced(nil, d, s)
		return next
	}
	return m.paced(st, 0, len(s)*wordBytes, func(p *value.Pace) func() step {
		copyTextPaced(p, d, s)
		return goOn
	})
}

func copyTextPaced(p *value.Pace, d lib.Slice, s string) {
	p.Pieces(0, len(s), wordBytes, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			d.N[d.Off+i] = uint64(s[i])
		}
	})
}

// clearSlice sets all elements to zero.
func (m *Machine) clearSlice(st *State, t *code.Type, s lib.Slice) step {
	if s.Object == nil || t.Empty() {
		return next
	}
	if size := s.Len * bytesOf(t.N, t.R); size > value.PieceBytes {
		return m.paced(st, 0, size, func(p *value.Pace) func() step {
			p.Pieces(0, s.Len, bytesOf(t.N, t.R), func(lo, hi int) { clearElements(t, s, lo, hi) })
			return goOn
		})
	} else {
		m.charge(size)
	}
	clearElements(t, s, 0, s.Len)
	return next
}

func clearElements(t *code.Type, s lib.Slice, lo, hi int) {
	clear(s.N[(s.Off+lo)*t.N : (s.Off+hi)*t.N])
	clear(s.R[(s.Off+lo)*t.R : (s.Off+hi)*t.R])
}
