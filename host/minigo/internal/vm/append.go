package vm

import (
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// capacityFor is the capacity of a slice to which elements are appended.
func capacityFor(s lib.Slice, more int) int {
	need := s.Len + more
	switch {
	case s.Object != nil && need <= s.Cap:
		return s.Cap
	case s.Cap > 256:
		return max(need, s.Cap+(s.Cap+3*256)/4)
	}
	return max(need, 2*s.Cap)
}

// grow moves a slice into a new object.
func grow(p *value.Pace, t *code.Type, s lib.Slice, capacity int) lib.Slice {
	g := lib.Slice{Object: value.NewZeroed(p, capacity*t.N, capacity*t.R), Len: s.Len, Cap: capacity}
	if s.Object != nil {
		copyPaced(p, t, g, s)
	}
	return g
}

func (m *Machine) appendOne(st *State, x *code.Aux, n []uint64, r []any) step {
	t := x.T
	s := sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	if !fits(t, s.Len, 1) {
		return m.tooLong(st)
	}
	if capacity := capacityFor(s, 1); s.Object == nil || capacity > s.Cap {
		size := bytesOf(t.N, t.R) * (capacity + s.Len)
		if size > value.PieceBytes {
			return m.paced(st, value.Bytes(capacity*t.N, capacity*t.R), size, func(p *value.Pace) func() step {
				s = grow(p, t, s, capacity)
				return func() step { return setLast(t, s, x, n, r) }
			})
		}
		m.alloc(value.Bytes(capacity*t.N, capacity*t.R))
		m.charge(size)
		s = grow(nil, t, s, capacity)
	}
	return setLast(t, s, x, n, r)
}

// setLast appends an element to a slice that has room.
func setLast(t *code.Type, s lib.Slice, x *code.Aux, n []uint64, r []any) step {
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
	return m.appendTo(st, x, n, r, more.Len, func(p *value.Pace, end lib.Slice) { copyPaced(p, t, end, more) })
}

func (m *Machine) appendString(st *State, x *code.Aux, n []uint64, r []any) step {
	text := value.Str(r[x.I[5]])
	return m.appendTo(st, x, n, r, len(text), func(p *value.Pace, end lib.Slice) { copyTextPaced(p, end, text) })
}

// appendTo appends elements that fill puts into their places.
func (m *Machine) appendTo(st *State, x *code.Aux, n []uint64, r []any, more int, fill func(p *value.Pace, end lib.Slice)) step {
	t := x.T
	s := sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	if !fits(t, s.Len, more) {
		return m.tooLong(st)
	}
	if more == 0 {
		setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
		return next
	}
	capacity, size, alloc := capacityFor(s, more), more, 0
	grows := s.Object == nil || capacity > s.Cap
	if grows {
		size = capacity + s.Len + more
		alloc = value.Bytes(capacity*t.N, capacity*t.R)
	}
	size *= bytesOf(t.N, t.R)
	work := func(p *value.Pace) func() step {
		if grows {
			s = grow(p, t, s, capacity)
		}
		fill(p, lib.Slice{Object: s.Object, Off: s.Off + s.Len, Len: more})
		s.Len += more
		setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
		return goOn
	}
	if size > value.PieceBytes {
		return m.paced(st, alloc, size, work)
	}
	m.alloc(alloc)
	m.charge(size)
	return work(nil)()
}
