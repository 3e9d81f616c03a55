package value

import "sort"

// minGaps is how many gaps are not worth a sweep, and sweepStep how many positions each change of the
// map sweeps.
const (
	minGaps   = 32
	sweepStep = 8
)

// sweep moves entries together, if that has begun.
func (m *Map) sweep() {
	if !m.sweeping {
		return
	}
	m.moved++
	for range sweepStep {
		if m.from == m.end {
			m.cut()
			return
		}
		if m.number(m.from)&gap == 0 {
			m.move()
		}
		m.from++
	}
}

// move moves the entry at from to to.
func (m *Map) move() {
	if m.from != m.to {
		old, i := m.at(m.from)
		kn, kr := m.Key(m.from)
		m.reindex(old, i, kn, kr)
		vn, vr := m.Value(m.from)
		b, j := m.at(m.to)
		b.number[j] = old.number[i]
		if i < len(old.hash) {
			b.hash = extend(b.hash, max(0, len(b.number)-len(b.hash)))
			b.hash[j] = old.hash[i]
		}
		n, r := m.Key(m.to)
		copy(n, kn)
		copy(r, kr)
		n, r = m.Value(m.to)
		copy(n, vn)
		copy(r, vr)
		clear(kr)
		clear(vr)
	}
	m.to++
}

// reindex records that the entry at from moves to to.
func (m *Map) reindex(b *block, i int, kn []uint64, kr []any) {
	switch {
	case m.isHashed(kr):
		if m.isIndexed(b.hash[i], m.from) {
			m.hashes[m.slot(b.hash[i], m.from)] = int32(m.to)
		}
	case m.words != nil:
		m.words[kn[0]] = int32(m.to)
	default:
		m.strs[Str(kr[0])] = int32(m.to)
	}
}

// isIndexed reports whether a position is in hashes; those of keys that contain a NaN are not.
func (m *Map) isIndexed(hash uint64, at int) bool {
	for ; ; hash++ {
		switch found, ok := m.hashes[hash]; {
		case !ok:
			return false
		case found == int32(at):
			return true
		}
	}
}

// cut ends a sweep: nothing is left behind the last entry.
func (m *Map) cut() {
	kept := (m.to + 1<<m.shift - 1) >> m.shift
	clear(m.blocks[kept:])
	m.blocks = m.blocks[:kept]
	if b, i := m.to>>m.shift, m.to&(1<<m.shift-1); i > 0 {
		m.blocks[b].cut(i, m)
	}
	m.end = m.to
	m.sweeping, m.to, m.from = false, 0, 0
}

// cut leaves the first entries of a block.
func (b *block) cut(n int, m *Map) {
	k, e := m.T.Key, m.T.Elem
	b.number = b.number[:n]
	b.kn, b.kr = b.kn[:n*k.N], b.kr[:n*k.R]
	b.vn, b.vr = b.vn[:n*e.N], b.vr[:n*e.R]
	b.hash = b.hash[:min(n, len(b.hash))]
}

func (m *Map) number(i int) uint64 {
	b, j := m.at(i)
	return b.number[j]
}

// Iterator iterates a map that may change meanwhile, as Go allows: an entry deleted before it is
// reached is not returned.
type Iterator struct {
	m     *Map
	at    int
	seen  uint64
	moved uint64
}

// NewIterator begins an iteration; a nil map has no entries.
func NewIterator(m *Map) *Iterator {
	if m == nil {
		return &Iterator{}
	}
	return &Iterator{m: m, moved: m.moved}
}

// Map is what is iterated, nil for a nil map.
func (it *Iterator) Map() *Map { return it.m }

// What Next returns instead of the position of an entry.
const (
	End = -1 - iota
	More
)

// Next is the position of the next entry; End; or More, after a step that has passed only gaps.
func (it *Iterator) Next() int {
	m := it.m
	if m == nil {
		return End
	}
	if it.moved != m.moved {
		it.moved = m.moved
		it.at = m.after(it.seen)
	}
	for range 1 << maxBlock {
		if it.at == m.to {
			it.at = max(it.at, m.from)
		}
		if it.at >= m.end {
			return End
		}
		number := m.number(it.at)
		if it.at++; number&gap == 0 {
			it.seen = number
			return it.at - 1
		}
	}
	return More
}

// after is the first position with a number above seen.
func (m *Map) after(seen uint64) int {
	lo, hi := m.from, m.end
	if m.to > 0 && m.number(m.to-1)&^gap > seen {
		lo, hi = 0, m.to
	}
	return lo + sort.Search(hi-lo, func(i int) bool { return m.number(lo+i)&^gap > seen })
}
