package vm

import glua "github.com/yuin/gopher-lua"

// Inserting and removing move the elements behind, and an array that is full is copied. These are single
// steps for the other fibers: they never see an element twice. So they are paid for before, not in
// parts.

// Append is LTable.Append.
func (m *Meter) Append(t *glua.LTable, value glua.LValue) {
	if value == glua.LNil {
		return
	}
	if m.direct == nil {
		t.Append(value)
		return
	}
	m.chargeGrowth(t)
	t.RawSetInt(m.Len(t)+1, value)
	m.appended(t)
}

// Insert is LTable.Insert for an index of a program.
func (m *Meter) Insert(t *glua.LTable, at int, value glua.LValue) {
	if m.direct == nil {
		t.Insert(at, value)
		return
	}
	m.chargeGrowth(t)
	m.chargeMove(t, at)
	if end := m.direct.place.arrayLength(t); at > end && isSparse(glua.LNumber(at)) {
		m.setSparse(t, glua.LNumber(at), at, value)
		return
	}
	t.Insert(at, value)
	m.appended(t)
}

// Remove is LTable.Remove.
func (m *Meter) Remove(t *glua.LTable, at int) glua.LValue {
	m.chargeMove(t, at)
	return t.Remove(at)
}

// chargeMove pays for the elements from an index to the end, or from the end to it.
func (m *Meter) chargeMove(t *glua.LTable, at int) {
	if m.direct == nil || at < 0 {
		return
	}
	if n := m.direct.place.arrayLength(t) - at; n > elementsPerStep || at < farthest && -n > elementsPerStep {
		m.Charge(int64(max(n, -n)) / elementsPerStep)
	}
}

// chargeGrowth pays for the copy of an array that is full.
func (m *Meter) chargeGrowth(t *glua.LTable) {
	if elements := *m.direct.place.arrayOf(t); len(elements) == cap(elements) {
		m.Alloc(elementBytes * int64(grownArray(len(elements))))
		m.ChargeValues(len(elements))
	}
}
