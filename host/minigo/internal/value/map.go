package value

import (
	"slices"
	"sort"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// Map is a map. Its entries are in insertion order, which is the iteration order: the same in
// every run.
//
// Entry i has its key at i times the key's size; values likewise. A deleted entry is left as a
// gap; when more than half are gaps, the live entries are compacted, and an iterator finds its
// position again by the numbers of the entries.
type Map struct {
	T      *code.Type
	words  map[uint64]int32 // keys of one word, as they are
	strs   map[string]int32
	others map[any]int32
	keys   Object
	vals   Object
	number []uint64 // of each entry, ascending; with the bit gap set if it is deleted
	next   uint64
	live   int
	moved  int // how often entries have moved
}

// gap marks the number of an entry that is deleted.
const gap = 1 << 63

// NewMap makes an empty map.
func NewMap(t *code.Type) *Map {
	m := &Map{T: t, next: 1}
	m.reset()
	return m
}

func (m *Map) reset() {
	m.words, m.strs, m.others = nil, nil, nil
	switch k := m.T.Key; {
	case k.Kind == code.String:
		m.strs = map[string]int32{}
	case k.N == 1 && k.R == 0 && k.Plain:
		m.words = map[uint64]int32{}
	default:
		m.others = map[any]int32{}
	}
}

// Len counts the entries.
func (m *Map) Len() int { return m.live }

// Find is the entry of a key, -1 if there is none. The error is *Uncomparable or ErrUnbounded.
func (m *Map) Find(ts Types, w *Walk, n []uint64, r []any) (int, error) {
	var i int32
	var ok bool
	switch {
	case m.words != nil:
		i, ok = m.words[n[0]]
	case m.strs != nil:
		s := Str(r[0])
		w.Steps += len(s)
		i, ok = m.strs[s]
	default:
		key, err := ts.Key(w, m.T.Key, n, r)
		if err != nil {
			return -1, err
		}
		i, ok = m.others[key]
	}
	if !ok {
		return -1, nil
	}
	return int(i), nil
}

// Value are the words and references of an entry's value.
func (m *Map) Value(i int) (n []uint64, r []any) {
	e := m.T.Elem
	return m.vals.N[i*e.N : (i+1)*e.N], m.vals.R[i*e.R : (i+1)*e.R]
}

// Key are the words and references of an entry's key.
func (m *Map) Key(i int) (n []uint64, r []any) {
	k := m.T.Key
	return m.keys.N[i*k.N : (i+1)*k.N], m.keys.R[i*k.R : (i+1)*k.R]
}

// Insert adds an entry for a key that has none, and gives its number.
func (m *Map) Insert(ts Types, w *Walk, n []uint64, r []any) (int, error) {
	k, e := m.T.Key, m.T.Elem
	i := len(m.number)
	switch {
	case m.words != nil:
		m.words[n[0]] = int32(i)
	case m.strs != nil:
		m.strs[Str(r[0])] = int32(i)
	default:
		key, err := ts.Key(w, k, n, r)
		if err != nil {
			return -1, err
		}
		m.others[key] = int32(i)
	}
	m.keys.N = append(m.keys.N, n[:k.N]...)
	m.keys.R = append(m.keys.R, r[:k.R]...)
	m.vals.N = extend(m.vals.N, e.N)
	m.vals.R = extend(m.vals.R, e.R)
	m.number = append(m.number, m.next)
	m.next++
	m.live++
	return i, nil
}

func extend[T any](s []T, n int) []T {
	s = slices.Grow(s, n)
	s = s[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

// Delete removes the entry of a key, if there is one.
func (m *Map) Delete(ts Types, w *Walk, n []uint64, r []any) error {
	i, err := m.Find(ts, w, n, r)
	if i < 0 {
		return err
	}
	switch {
	case m.words != nil:
		delete(m.words, n[0])
	case m.strs != nil:
		delete(m.strs, Str(r[0]))
	default:
		key, _ := ts.Key(&Walk{}, m.T.Key, n, r) // Find has made one
		delete(m.others, key)
	}
	_, kr := m.Key(i)
	clear(kr)
	_, vr := m.Value(i)
	clear(vr)
	m.number[i] |= gap
	m.live--
	if gaps := len(m.number) - m.live; gaps > 32 && gaps > m.live {
		m.compact(ts)
	}
	return nil
}

// Clear removes all entries.
func (m *Map) Clear() {
	m.reset()
	m.keys, m.vals, m.number, m.live = Object{}, Object{}, nil, 0
	m.moved++
}

// compact moves the live entries together.
func (m *Map) compact(ts Types) {
	old := *m
	m.reset()
	m.keys, m.vals, m.number, m.live = Object{}, Object{}, nil, 0
	for i, number := range old.number {
		if number&gap != 0 {
			continue
		}
		kn, kr := old.Key(i)
		j, _ := m.Insert(ts, &Walk{}, kn, kr) // it had a key before
		m.number[j] = number
		vn, vr := old.Value(i)
		n, r := m.Value(j)
		copy(n, vn)
		copy(r, vr)
	}
	m.next = old.next
	m.moved++
}

// Iterator iterates a map that may change meanwhile, as Go allows: an entry deleted before it is
// reached is not returned.
type Iterator struct {
	m     *Map
	at    int
	seen  uint64
	moved int
}

// NewIterator begins an iteration; a nil map has no entries.
func NewIterator(m *Map) *Iterator {
	if m == nil {
		return &Iterator{}
	}
	return &Iterator{m: m, moved: m.moved}
}

// At is how many entries and gaps the iterator has passed.
func (it *Iterator) At() int { return it.at }

// Next is the next entry, -1 at the end.
func (it *Iterator) Next() (*Map, int) {
	m := it.m
	if m == nil {
		return nil, -1
	}
	if it.moved != m.moved {
		it.moved = m.moved
		it.at = sort.Search(len(m.number), func(i int) bool { return m.number[i]&^gap > it.seen })
	}
	for ; it.at < len(m.number); it.at++ {
		if m.number[it.at]&gap == 0 {
			it.seen = m.number[it.at]
			it.at++
			return m, it.at - 1
		}
	}
	return m, -1
}
