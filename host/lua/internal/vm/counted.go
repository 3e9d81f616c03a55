//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

// count replaces the instructions that allocate by those that count what they allocate. Numbers are not
// counted: the owner adds as much for each step.
func (d *direct) count(m *Meter) {
	all := d.execute
	all[glua.OP_NEWTABLE] = m.countNewTable
	all[glua.OP_CLOSURE] = m.countClosure
	all[glua.OP_SETGLOBAL] = m.countSetGlobal
	all[glua.OP_SETTABLEKS] = m.countSetField
	all[glua.OP_SETTABLE] = m.countSetTable(all[glua.OP_SETTABLE])
	all[glua.OP_SETLIST] = m.countSetList
	all[glua.OP_CALL] = m.countCall(d)
}

func (m *Meter) countNewTable(L *glua.LState, inst uint32, base *frame) int {
	bytes := int64(tableBytes + elementBytes*b(inst))
	if n := c(inst); n > 0 {
		bytes += mapBytes(n)
	}
	m.Alloc(bytes)
	return jumpTable[glua.OP_NEWTABLE](L, inst, base)
}

func (m *Meter) countClosure(L *glua.LState, inst uint32, base *frame) int {
	cf, _ := m.direct.place.executing(L)
	m.Alloc(functionBytes + variableBytes*int64(cf.Fn.Proto.FunctionPrototypes[inst&0x3ffff].NumUpvalues))
	return jumpTable[glua.OP_CLOSURE](L, inst, base)
}

func (m *Meter) countSetGlobal(L *glua.LState, inst uint32, base *frame) int {
	cf, registers := m.direct.place.executing(L)
	name := cf.Fn.Proto.Constants[inst&0x3ffff].(glua.LString)
	if m.assign(cf.Fn.Env, string(name), registers[a(inst)]) {
		return 0
	}
	m.Alloc(otherTable)
	return jumpTable[glua.OP_SETGLOBAL](L, inst, base)
}

func (m *Meter) countSetField(L *glua.LState, inst uint32, base *frame) int {
	cf, registers := m.direct.place.executing(L)
	if t, ok := registers[a(inst)].(*glua.LTable); ok {
		if m.assign(t, string(value(cf, registers, b(inst)).(glua.LString)), value(cf, registers, c(inst))) {
			return 0
		}
	}
	m.Alloc(otherTable)
	return jumpTable[glua.OP_SETTABLEKS](L, inst, base)
}

// assign stores a value under a string, unless a metatable may say where to.
func (m *Meter) assign(t *glua.LTable, key string, v glua.LValue) bool {
	if t.Metatable != glua.LNil && t.RawGetString(key) == glua.LNil {
		return false
	}
	p := &m.direct.place
	keys, hadStrings := p.keyCount(t), p.hasStrings(t)
	t.RawSetString(key, v)
	if n := p.keyCount(t); n != keys || !hadStrings {
		m.countKey(n, hadStrings)
	}
	return true
}

func (m *Meter) countSetTable(set instruction) instruction {
	return func(L *glua.LState, inst uint32, base *frame) int {
		p := &m.direct.place
		cf, registers := p.executing(L)
		t, ok := registers[a(inst)].(*glua.LTable)
		if !ok {
			m.Alloc(otherTable)
			return set(L, inst, base)
		}
		key := value(cf, registers, b(inst))
		switch key := key.(type) {
		case glua.LNumber:
			elements, i := *p.arrayOf(t), int(key)-1
			if uint(i) < uint(len(elements)) && glua.LNumber(i+1) == key && elements[i] != glua.LNil {
				elements[i] = value(cf, registers, c(inst))
				return 0
			}
			if i == len(elements) && i == cap(elements) {
				m.Alloc(elementBytes * int64(grownArray(i)))
			}
		case glua.LString:
			m.ChargeKey(key)
			if m.assign(t, string(key), value(cf, registers, c(inst))) {
				return 0
			}
		}
		keys, elements := p.keyCount(t), *p.arrayOf(t)
		next := set(L, inst, base)
		m.countChange(t, key, keys, elements)
		return next
	}
}

// countChange counts what an assignment to a table has added. If it has added nothing to the table, and
// that has a metatable, the assignment may have changed another one.
func (m *Meter) countChange(t *glua.LTable, key glua.LValue, keys int, elements []glua.LValue) {
	p := &m.direct.place
	now, bytes := *p.arrayOf(t), int64(0)
	if room := cap(now); room > cap(elements) && len(elements) < cap(elements) {
		bytes = elementBytes * int64(room) // a key behind the end
	}
	switch n := p.keyCount(t); {
	case n != keys:
		bytes += keyBytes(n)
	case t.Metatable != glua.LNil && len(now) == len(elements) && m.Get(t, key) == glua.LNil:
		bytes += otherTable
	}
	if bytes > 0 {
		m.Alloc(bytes)
	}
}

func (m *Meter) countSetList(L *glua.LState, inst uint32, base *frame) int {
	p := &m.direct.place
	cf, registers := p.executing(L)
	t, first, n := registers[a(inst)].(*glua.LTable), c(inst), b(inst)
	if first == 0 {
		first = int(cf.Fn.Proto.Code[cf.Pc])
	}
	if n == 0 {
		n = p.registryOf(L).top - cf.LocalBase - a(inst) - 1
	}
	if end, room := (first-1)*glua.FieldsPerFlush+n, cap(*p.arrayOf(t)); end > room {
		m.Alloc(elementBytes * int64(max(end+end/4, grownArray(room))))
	}
	return m.setList(L, inst, base)
}

// countCall counts the strings that Go functions return, and moves numbers into blocks, as gopher-lua
// has the results of instructions: each number alone would share its memory with short strings.
func (m *Meter) countCall(d *direct) instruction {
	native := jumpTable[glua.OP_CALL]
	return func(L *glua.LState, inst uint32, base *frame) int {
		if d.place.enter(L, inst) {
			return 0
		}
		if d.mustGrow(L) {
			return callLater
		}
		if b(inst) == 0 {
			m.chargeOpen(L, inst)
		}
		current := d.place.currentFrame(L)
		caller := *current
		m.counted = 0
		next := native(L, inst, base)
		if next == 0 && *current == caller { // a Go function has returned: one of Lua would be current
			m.countResults(L, inst)
		}
		return next
	}
}

func (m *Meter) countResults(L *glua.LState, inst uint32) {
	p := &m.direct.place
	cf, registers := p.executing(L)
	first, n := a(inst), c(inst)-1
	if n < 0 {
		n = p.registryOf(L).top - cf.LocalBase - first
	}
	bytes := int64(0)
	for i := first; i < first+n; i++ {
		switch v := registers[i].(type) {
		case glua.LNumber:
			registers[i] = m.number(v)
		case glua.LString:
			bytes += stringBytes + int64(len(v))
		}
	}
	bytes -= m.counted
	if m.counted = 0; bytes > 0 {
		m.Alloc(bytes)
	}
}
