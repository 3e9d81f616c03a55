package value

import (
	"hash/maphash"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// Map is a map. Its entries are in insertion order, which is the iteration order: the same in
// every run.
//
// The entries are in blocks of a fixed size, so that no operation takes longer because the map is
// large. A deleted entry is left as a gap; when more than half are gaps, each operation moves a few
// live entries together (sweep), and an iterator finds its position again by the numbers of the
// entries. The positions are in one of three indexes: keys of one word as they are, strings, and the
// hashes of all other keys and of long strings. The positions of keys that contain a NaN, which are
// never found, are in none.
type Map struct {
	T       *code.Type
	seed    maphash.Seed
	words   map[uint64]int32
	strs    map[string]int32
	hashes  map[uint64]int32 // a hash that is taken continues at the next number
	blocks  []block
	shift   uint // the length of a block as a power of two
	end     int  // the entries and gaps
	live    int
	most    int // of live, since the map was empty
	next    uint64
	version uint64 // counts the changes, except of values
	moved   uint64 // counts the changes of positions

	// While entries are moved together, those below to have been moved, and those from from on have
	// not; between them is nothing. Otherwise both are 0.
	sweeping bool
	to, from int
}

// block has the entries of 1<<shift positions; the first block of a map grows until it has.
type block struct {
	number []uint64 // of each entry, ascending; with the bit gap set if it is deleted
	hash   []uint64 // nil if all keys are in words or strs
	kn, vn []uint64
	kr, vr []any
}

// gap marks the number of an entry that is deleted.
const gap = 1 << 63

// maxBlock is the length of the blocks of small entries, as a power of two.
const maxBlock = 8

// NewMap makes an empty map.
func NewMap(t *code.Type) *Map {
	m := &Map{T: t, next: 1}
	if entry := t.Key.N + t.Elem.N + 2*(t.Key.R+t.Elem.R); entry > 0 {
		for m.shift = maxBlock; m.shift > 0 && entry<<m.shift > PieceBytes/8; m.shift-- {
		}
	} else {
		m.shift = maxBlock
	}
	m.reset()
	return m
}

func (m *Map) reset() {
	m.words, m.strs, m.hashes = nil, nil, nil
	switch k := m.T.Key; {
	case k.Kind == code.String:
		m.strs = map[string]int32{}
	case k.N == 1 && k.R == 0 && k.Plain:
		m.words = map[uint64]int32{}
	default:
		m.hashes = map[uint64]int32{}
	}
	m.blocks, m.end, m.live, m.most = nil, 0, 0, 0
	m.sweeping, m.to, m.from = false, 0, 0
	m.version++
	m.moved++
}

// Version changes with the entries, and not with their values.
func (m *Map) Version() uint64 { return m.version }

// Len counts the entries.
func (m *Map) Len() int { return m.live }

// Clear removes all entries.
func (m *Map) Clear() { m.reset() }

// Bytes is about how much memory the map takes, without what its entries refer to.
func (m *Map) Bytes() int {
	slots := len(m.blocks) << m.shift
	if len(m.blocks) == 1 {
		slots = cap(m.blocks[0].number)
	}
	return MapBytes + slots*(m.EntryBytes()-indexBytes) + m.most*indexBytes
}

// EntryBytes is about how much memory an entry takes.
func (m *Map) EntryBytes() int {
	k, e := m.T.Key, m.T.Elem
	return wordBytes*(k.N+e.N+2) + refBytes*(k.R+e.R) + indexBytes
}

const (
	// MapBytes is about what an empty map takes.
	MapBytes = 450
	// indexBytes is about what the index of an entry takes.
	indexBytes = 32
)

// Peek calls visit with entries in their order until it returns false, and looks at no more than most positions for
// them. It returns whether there are no others.
func (m *Map) Peek(most int, visit func(kn []uint64, kr []any, vn []uint64, vr []any) bool) (all bool) {
	for i := range m.end {
		if i == most {
			return false
		}
		if m.sweeping && i >= m.to && i < m.from {
			continue
		}
		if b, at := m.at(i); b.number[at]&gap != 0 {
			continue
		}
		kn, kr := m.Key(i)
		vn, vr := m.Value(i)
		if !visit(kn, kr, vn, vr) {
			return false
		}
	}
	return true
}

// EachRefs calls f with references of the entries, until it has had all of them.
func (m *Map) EachRefs(f func(refs []any)) {
	for i := range m.blocks {
		f(m.blocks[i].kr)
		f(m.blocks[i].vr)
	}
}

// Entry is what has been found out about a key: the position of its entry, -1 if there is none, and
// how it is indexed.
type Entry struct {
	At      int
	hash    uint64
	hashed  bool
	unequal bool // to itself
	version uint64
}

// Current reports whether the map has not changed since the key was looked for.
func (m *Map) Current(e Entry) bool { return e.version == m.version }

// Quick looks for a key as Find does, if it is one word or a short string. work is how many bytes it has
// hashed.
func (m *Map) Quick(n []uint64, r []any) (e Entry, work int, ok bool) {
	if m.words != nil {
		at, found := m.words[n[0]]
		if !found {
			at = -1
		}
		return Entry{At: int(at), version: m.version}, 0, true
	}
	if m.strs == nil {
		return e, 0, false
	}
	s := Str(r[0])
	if len(s) > PieceBytes {
		return e, 0, false
	}
	at, found := m.strs[s]
	if !found {
		at = -1
	}
	return Entry{At: int(at), version: m.version}, len(s), true
}

// Find looks for a key. The error is *Uncomparable, ErrUnbounded, or ErrLong of a Walk without Pace.
func (m *Map) Find(ts Types, w *Walk, n []uint64, r []any) (e Entry, err error) {
	if e, work, ok := m.Quick(n, r); ok {
		w.Steps += Steps(work)
		return e, nil
	}
	e.At, e.hashed = -1, true
	if e.hash, e.unequal, err = ts.hash(w, &m.seed, m.T.Key, n, r); err != nil || e.unequal {
		e.version = m.version
		return e, err
	}
	return m.probe(ts, w, e, n, r)
}

// probe looks for a key with a hash. If the map changes meanwhile, it begins anew.
func (m *Map) probe(ts Types, w *Walk, e Entry, n []uint64, r []any) (Entry, error) {
	for {
		e.At, e.version = -1, m.version
		for h := e.hash; m.Current(e); h++ {
			at, ok := m.hashes[h]
			if !ok {
				return e, nil
			}
			if at < 0 {
				continue
			}
			kn, kr := m.Key(int(at))
			same, err := ts.Equal(w, m.T.Key, n, r, kn, kr)
			if err != nil {
				return e, err
			}
			if same && m.Current(e) {
				e.At = int(at)
				return e, nil
			}
		}
	}
}

// Insert adds an entry for a key that has none, and returns its position.
func (m *Map) Insert(e Entry, n []uint64, r []any) int {
	m.sweep()
	at := m.end
	switch {
	case e.unequal:
	case e.hashed:
		if m.hashes == nil {
			m.hashes = map[uint64]int32{}
		}
		h := e.hash
		for taken, ok := m.hashes[h]; ok && taken >= 0; taken, ok = m.hashes[h] {
			h++
		}
		m.hashes[h] = int32(at)
	case m.words != nil:
		m.words[n[0]] = int32(at)
	default:
		m.strs[Str(r[0])] = int32(at)
	}
	b := m.push(e.hashed)
	copy(b.kn[len(b.kn)-m.T.Key.N:], n)
	copy(b.kr[len(b.kr)-m.T.Key.R:], r)
	if b.number[len(b.number)-1] = m.next; e.hashed {
		b.hash[len(b.number)-1] = e.hash
	}
	m.next++
	m.live++
	m.most = max(m.most, m.live)
	m.version++
	return at
}

// push makes an empty entry at the end.
func (m *Map) push(hashed bool) *block {
	if m.end>>m.shift == len(m.blocks) {
		m.blocks = append(m.blocks, m.newBlock(len(m.blocks) > 0))
	}
	b := &m.blocks[m.end>>m.shift]
	k, e := m.T.Key, m.T.Elem
	b.number = append(b.number, 0)
	b.kn, b.kr = extend(b.kn, k.N), extend(b.kr, k.R)
	b.vn, b.vr = extend(b.vn, e.N), extend(b.vr, e.R)
	if hashed || b.hash != nil {
		b.hash = extend(b.hash, len(b.number)-len(b.hash))
	}
	m.end++
	return b
}

// newBlock makes a block; the first one of a map is made as small as it can be.
func (m *Map) newBlock(whole bool) (b block) {
	if size := 1 << m.shift; whole {
		k, e := m.T.Key, m.T.Elem
		b.number = make([]uint64, 0, size)
		b.kn, b.vn = make([]uint64, 0, size*k.N), make([]uint64, 0, size*e.N)
		b.kr, b.vr = make([]any, 0, size*k.R), make([]any, 0, size*e.R)
	}
	return b
}

// extend appends n zero elements.
func extend[T any](s []T, n int) []T {
	for range n {
		var zero T
		s = append(s, zero)
	}
	return s
}

// Delete removes an entry that has been found.
func (m *Map) Delete(e Entry) {
	m.unindex(e.At)
	_, kr := m.Key(e.At)
	clear(kr)
	_, vr := m.Value(e.At)
	clear(vr)
	b, i := m.at(e.At)
	b.number[i] |= gap
	m.live--
	m.version++
	if m.live == 0 {
		m.reset()
		return
	}
	if gaps := m.end - m.live; !m.sweeping && gaps > minGaps && gaps > m.live {
		m.sweeping = true
	}
	m.sweep()
}

// unindex removes a position from its index.
func (m *Map) unindex(at int) {
	kn, kr := m.Key(at)
	if m.isHashed(kr) {
		b, i := m.at(at)
		h := m.slot(b.hash[i], at)
		if _, more := m.hashes[h+1]; more {
			m.hashes[h] = -1
		} else {
			delete(m.hashes, h)
		}
		return
	}
	if m.words != nil {
		delete(m.words, kn[0])
	} else {
		delete(m.strs, Str(kr[0]))
	}
}

// slot is where the position of an entry is in hashes.
func (m *Map) slot(hash uint64, at int) uint64 {
	for m.hashes[hash] != int32(at) {
		hash++
	}
	return hash
}

// isHashed reports whether a key is in hashes.
func (m *Map) isHashed(kr []any) bool {
	return m.words == nil && (m.strs == nil || len(Str(kr[0])) > PieceBytes)
}

func (m *Map) at(i int) (*block, int) { return &m.blocks[i>>m.shift], i & (1<<m.shift - 1) }

// Value are the words and references of an entry's value.
func (m *Map) Value(i int) (n []uint64, r []any) {
	b, j := m.at(i)
	e := m.T.Elem
	return b.vn[j*e.N : (j+1)*e.N], b.vr[j*e.R : (j+1)*e.R]
}

// Key are the words and references of an entry's key.
func (m *Map) Key(i int) (n []uint64, r []any) {
	b, j := m.at(i)
	k := m.T.Key
	return b.kn[j*k.N : (j+1)*k.N], b.kr[j*k.R : (j+1)*k.R]
}
