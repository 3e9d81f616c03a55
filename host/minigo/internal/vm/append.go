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
	if s.Object == nil || s.Len == s.Cap {
		capacity := capacityFor(s, 1)
		size := bytesOf(t.N, t.R) * (capacity + s.Len)
		if size > value.PieceBytes {
			return m.appendSlowly(st, x, s, capacity, size, n, r)
		}
		m.alloc(value.Bytes(capacity*t.N, capacity*t.R))
		m.charge(size)
		s = grow(nil, t, s, capacity)
		m.made(s.Object)
	}
	return setLast(t, s, x, n, r)
}

func (m *Machine) appendSlowly(st *State, x *code.Aux, s lib.Slice, capacity, size int, n []uint64, r []any) step {
	return m.paced(st, value.Bytes(capacity*x.T.N, capacity*x.T.R), size, func(p *value.Pace) func() step {
		larger := grow(p, x.T, s, capacity)
		return func() step { return setLast(x.T, larger, x, n, r) }
	})
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
	s, bytes, ok := m.roomFor(x, n, r, more.Len)
	switch {
	case !ok:
		return m.tooLong(st)
	case bytes > value.PieceBytes:
		return m.appendPaced(st, x, n, r, more.Len, bytes, func(p *value.Pace, end lib.Slice) { copyPaced(p, x.T, end, more) })
	case more.Len > 0:
		s = m.growQuickly(x.T, s, more.Len, bytes)
		copyAtOnce(x.T, lib.Slice{Object: s.Object, Off: s.Off + s.Len, Len: more.Len}, more)
		s.Len += more.Len
	}
	setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
	return next
}

func (m *Machine) appendString(st *State, x *code.Aux, n []uint64, r []any) step {
	text := value.Str(r[x.I[5]])
	s, bytes, ok := m.roomFor(x, n, r, len(text))
	switch {
	case !ok:
		return m.tooLong(st)
	case bytes > value.PieceBytes:
		return m.appendPaced(st, x, n, r, len(text), bytes, func(p *value.Pace, end lib.Slice) { copyTextPaced(p, end, text) })
	case text != "":
		s = m.growQuickly(x.T, s, len(text), bytes)
		copyTextPaced(nil, lib.Slice{Object: s.Object, Off: s.Off + s.Len, Len: len(text)}, text)
		s.Len += len(text)
	}
	setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
	return next
}

// roomFor returns the slice of an append, and how many bytes have to be set and copied for it.
func (m *Machine) roomFor(x *code.Aux, n []uint64, r []any, more int) (s lib.Slice, bytes int, ok bool) {
	s = sliceAt(n, r, int(x.I[2]), int(x.I[3]))
	if !fits(x.T, s.Len, more) {
		return s, 0, false
	}
	elements := more
	if more > 0 && (s.Object == nil || s.Len+more > s.Cap) {
		elements += capacityFor(s, more) + s.Len
	}
	return s, elements * bytesOf(x.T.N, x.T.R), true
}

// growQuickly makes room in a small slice, if it has none.
func (m *Machine) growQuickly(t *code.Type, s lib.Slice, more, bytes int) lib.Slice {
	m.charge(bytes)
	if s.Object != nil && s.Len+more <= s.Cap {
		return s
	}
	capacity := capacityFor(s, more)
	m.alloc(value.Bytes(capacity*t.N, capacity*t.R))
	return grow(nil, t, s, capacity)
}

// appendPaced appends many elements, or to a large slice; fill puts the elements into their places.
func (m *Machine) appendPaced(st *State, x *code.Aux, n []uint64, r []any, more, bytes int, fill func(p *value.Pace, end lib.Slice)) step {
	t := x.T
	s, alloc := sliceAt(n, r, int(x.I[2]), int(x.I[3])), 0
	capacity := capacityFor(s, more)
	grows := s.Object == nil || capacity > s.Cap
	if grows {
		alloc = value.Bytes(capacity*t.N, capacity*t.R)
	}
	return m.paced(st, alloc, bytes, func(p *value.Pace) func() step {
		if grows {
			s = grow(p, t, s, capacity)
		}
		fill(p, lib.Slice{Object: s.Object, Off: s.Off + s.Len, Len: more})
		s.Len += more
		setSlice(n, r, int(x.I[0]), int(x.I[1]), s)
		return goOn
	})
}
