package vm

import glua "github.com/yuin/gopher-lua"

// elementsPerStep is how many unused elements of an array are passed over for a step.
const elementsPerStep = 16

// Next is LTable.Next, and pays for the removed keys that it passes over: gopher-lua keeps them. Other
// fibers may change the table while it does.
func (m *Meter) Next(t *glua.LTable, key glua.LValue) (next, value glua.LValue) {
	if m.direct == nil {
		return t.Next(key)
	}
	m.ChargeKey(key)
	p := &m.direct.place
	i, inArray := 0, key == glua.LNil
	if n, ok := key.(glua.LNumber); ok && n >= 1 && n < glua.LNumber(glua.MaxArrayIndex) && n == glua.LNumber(int(n)) {
		i = int(n)
		if inArray = i <= p.arrayLength(t); !inArray {
			_, inHash := (*p.numbersOf(t))[key]
			inArray = !inHash
		}
	}
	if inArray {
		if i, value = m.inArray(t, i); value != nil {
			return glua.LNumber(i), value
		}
		return m.inHash(t, 0)
	}
	return m.inHash(t, (*p.numbersOf(t))[key]+1)
}

// inArray finds the first element from the index i, which counts from 0.
func (m *Meter) inArray(t *glua.LTable, i int) (at int, value glua.LValue) {
	for passed := 0; ; i++ {
		elements := *m.direct.place.arrayOf(t)
		if i >= len(elements) {
			return i, nil
		}
		if v := elements[i]; v != glua.LNil {
			return i + 1, v
		}
		if passed++; passed%elementsPerStep == 0 {
			m.Step()
		}
	}
}

// inHash finds the first key from the number i on that has a value.
func (m *Meter) inHash(t *glua.LTable, i int) (key, value glua.LValue) {
	for ; ; i++ {
		keys := *m.direct.place.keysOf(t)
		if i >= len(keys) {
			return glua.LNil, glua.LNil
		}
		m.ChargeKey(keys[i])
		if v := t.RawGetH(keys[i]); v != glua.LNil {
			return keys[i], v
		}
		m.Step()
	}
}

// Len is LTable.Len, and pays for the elements at the end of the array that were set to nil.
func (m *Meter) Len(t *glua.LTable) int {
	if m.direct == nil {
		return t.Len()
	}
	i := m.direct.place.arrayLength(t)
	for passed := 0; ; i-- {
		elements := *m.direct.place.arrayOf(t)
		if i = min(i, len(elements)); i == 0 || elements[i-1] != glua.LNil {
			return i
		}
		if passed++; passed%elementsPerStep == 0 {
			m.Step()
		}
	}
}
