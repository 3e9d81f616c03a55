package vm

import glua "github.com/yuin/gopher-lua"

// gopher-lua stores every positive integer key below MaxArrayIndex in the array part of a table,
// and fills the array up to it: one assignment can allocate a gigabyte. Here a key that is far
// behind the end of the array is stored in the hash part. LTable.Next and LTable.ForEach find it
// there; LTable.RawGet does not.
//
// The array never has a key that the hash part has. So when the array grows, keys of the hash part
// move to it: those that it passes, and those that follow its end.
const (
	// farthest is how many unused elements one assignment adds to an array. Smaller keys are
	// always in the array, so most instructions need only a comparison.
	farthest = 1 << 14
)

// isSparse returns whether a key may be in the hash part instead of the array.
func isSparse(key glua.LNumber) bool {
	return key >= farthest && key < glua.LNumber(glua.MaxArrayIndex) && key == glua.LNumber(int(key))
}

// Get is LTable.RawGet for a key of a program.
func (m *Meter) Get(t *glua.LTable, key glua.LValue) glua.LValue {
	v := t.RawGet(key)
	if n, ok := key.(glua.LNumber); ok && v == glua.LNil && isSparse(n) {
		return t.RawGetH(key)
	}
	return v
}

// Index is LState.GetTable for a key of a program.
func (m *Meter) Index(L *glua.LState, of, key glua.LValue) glua.LValue {
	if n, ok := key.(glua.LNumber); ok && isSparse(n) {
		if v := sparseValue(L, of, key); v != glua.LNil {
			return v
		}
	}
	return L.GetTable(of, key)
}

func (m *Meter) set(t *glua.LTable, key, value glua.LValue) {
	if n, ok := key.(glua.LNumber); ok && m.direct != nil && isSparse(n) {
		m.setSparse(t, key, int(n), value)
		return
	}
	t.RawSet(key, value)
}

func (m *Meter) setSparse(t *glua.LTable, key glua.LValue, k int, value glua.LValue) {
	end := m.direct.place.arrayLength(t)
	switch {
	case k <= end:
		t.RawSetInt(k, value)
	case value == glua.LNil || t.RawGetH(key) != glua.LNil || k > end+farthest:
		if end == 0 {
			t.RawSetInt(1, glua.LNil) // Next repeats the hash part of a table whose array is nil
			t.Remove(1)
		}
		t.RawSetH(key, value)
	default:
		m.Charge(int64((k - end) / elementsPerStep))
		end = m.direct.place.arrayLength(t) // another fiber may have stored elements
		for i := end + 1; i < k; i++ {
			t.RawSetInt(i, taken(t, i))
		}
		t.RawSetInt(k, value)
		absorb(t, k+1)
	}
}

// appended is called when the array of a table may have grown by one element.
func (m *Meter) appended(t *glua.LTable) {
	if end := m.direct.place.arrayLength(t); end >= farthest {
		absorb(t, end+1)
	}
}

// absorb moves the keys from the end of the array on.
func absorb(t *glua.LTable, k int) {
	for v := taken(t, k); v != glua.LNil; v = taken(t, k) {
		t.RawSetInt(k, v)
		k++
	}
}

// taken removes a key from the hash part.
func taken(t *glua.LTable, k int) glua.LValue {
	v := t.RawGetH(glua.LNumber(k))
	if v != glua.LNil {
		t.RawSetH(glua.LNumber(k), glua.LNil)
	}
	return v
}
