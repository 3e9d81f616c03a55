package vm

import glua "github.com/yuin/gopher-lua"

// Peek visits entries of a table in the order of next, without a charge. It looks at no more than most
// places of the array and most keys, and returns whether these were all.
func (m *Meter) Peek(t *glua.LTable, most int, visit func(key, value glua.LValue) bool) (all bool) {
	if m.direct == nil {
		return peekPortably(t, most, visit)
	}
	elements, keys := *m.direct.place.arrayOf(t), *m.direct.place.keysOf(t)
	for i, v := range elements[:min(most, len(elements))] {
		if v != nil && v != glua.LNil && !visit(glua.LNumber(i+1), v) {
			return false
		}
	}
	for _, key := range keys[:min(most, len(keys))] {
		if v := t.RawGetH(key); v != glua.LNil && !visit(key, v) {
			return false
		}
	}
	return len(elements) <= most && len(keys) <= most
}

// peekPortably passes over removed entries without a bound.
func peekPortably(t *glua.LTable, most int, visit func(key, value glua.LValue) bool) bool {
	for key, v := t.Next(glua.LNil); key != glua.LNil; key, v = t.Next(key) {
		if most--; most < 0 || !visit(key, v) {
			return false
		}
	}
	return true
}
