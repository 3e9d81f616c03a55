package vm

import (
	"math"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// Limit makes the Meter count the bytes that the threads allocate: in instructions, where the direct
// loop is used, and by Alloc. full is called before n bytes are allocated for which Room is too small. It
// must make room for them, or not return. Like expire it may suspend the goroutine. It is called before
// the first thread is attached.
func (m *Meter) Limit(full func(n int64)) {
	m.full = full
	if m.direct != nil {
		m.direct.count(m)
	}
}

// Alloc counts n bytes that are about to be allocated. Other fibers may have changed any table when it
// returns.
func (m *Meter) Alloc(n int64) {
	if m.Room -= n; m.Room < 0 {
		m.Room += n
		m.full(n)
	}
}

// Cut is a part of a string that a program gets. Where memory is counted it is a copy, so that it does
// not keep the whole.
func (m *Meter) Cut(part string) string {
	if m.full == nil || part == "" {
		return part
	}
	m.expect(len(part))
	m.Charge(int64(len(part) / BytesPerStep))
	m.Alloc(stringBytes + int64(len(part)))
	m.counted += int64(len(part))
	return strings.Clone(part)
}

// unlimited is the Room of a Meter that does not count.
const unlimited = math.MaxInt64 / 2

// What the parts of tables and functions take at most. keys are those of the hash part, which has two
// maps for them; a map grows by doubling, and has two slots for each key just after that.
const (
	tableBytes    = 96
	firstKey      = 400  // the index of the keys
	firstString   = 2500 // gopher-lua makes a map for 32
	fewKeys       = 8
	fewKeysEach   = 64
	afterFew      = 1200
	keyEach       = 200
	otherTable    = firstKey + firstString // an assignment that may change another table
	functionBytes = 64
	variableBytes = 8 + 48
	stringBytes   = 16 + 16
	elementBytes  = 16
	frameBytes    = 80
)

// mapBytes is what the map of a new table takes that is made for n keys.
func mapBytes(n int) int64 {
	if n <= fewKeys {
		return 48 + 288
	}
	slots := 2 * fewKeys
	for slots/fewKeys*7 < n {
		slots *= 2
	}
	return 100 + int64(slots)*(1+32)
}

// keyBytes is what the n-th key of a table takes.
func keyBytes(n int) int64 {
	switch {
	case n == 1:
		return firstKey
	case n <= fewKeys:
		return fewKeysEach
	case n == fewKeys+1:
		return afterFew
	}
	return keyEach
}

// Set is LTable.RawSet for a key of a program.
func (m *Meter) Set(t *glua.LTable, key, value glua.LValue) {
	if m.direct == nil || m.full == nil {
		m.set(t, key, value)
		return
	}
	p := &m.direct.place
	keys, hadStrings, room := len(*p.keysOf(t)), p.hasStrings(t), cap(*p.arrayOf(t))
	m.set(t, key, value)
	if now := cap(*p.arrayOf(t)); now > room {
		m.Alloc(elementBytes * int64(now))
	}
	if n := len(*p.keysOf(t)); n != keys {
		m.countKey(n, hadStrings || !p.hasStrings(t))
	}
}

// countKey counts the n-th key of a table.
func (m *Meter) countKey(n int, hadStrings bool) {
	bytes := keyBytes(n)
	if !hadStrings {
		bytes += firstString
	}
	m.Alloc(bytes)
}

// grownArray is how many elements Go gives an array of that capacity when it gets one more.
func grownArray(capacity int) int {
	const double, smallest = 256, 32
	if capacity < double {
		return max(2*capacity, smallest)
	}
	return capacity + capacity/4 + double
}
