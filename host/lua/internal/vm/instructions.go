//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

// instructions are gopher-lua's, by opcode, except those that could use any amount of memory. The
// length is that of all opcodes that six bits can hold, so that no index needs a check.
type instructions [1 << (32 - opcodeShift)]instruction

// bounded replaces the instructions that need a bound.
func (m *Meter) bounded() *instructions {
	var all instructions
	copy(all[:], jumpTable[:])
	all[glua.OP_CONCAT] = m.concat
	all[glua.OP_GETTABLE] = m.getTable
	all[glua.OP_SETTABLE] = m.setTable
	all[glua.OP_SETLIST] = m.setList
	return &all
}

// operands are those of one instruction. B and C are registers, or constants from 256 on.
type operands struct {
	fn        *glua.LFunction
	registers []glua.LValue // those of the function, and what is above them
	a, b, c   int
}

func (m *Meter) operands(L *glua.LState, inst uint32) operands {
	p := &m.direct.place
	cf := *p.currentFrame(L)
	array, _ := p.registerGrowth(L)
	return operands{cf.Fn, (*array)[cf.LocalBase:], int(inst>>18) & 0xff, int(inst) & 0x1ff, int(inst>>9) & 0x1ff}
}

// value is that of a register or a constant.
func (o *operands) value(i int) glua.LValue {
	if i < 1<<8 {
		return o.registers[i]
	}
	return o.fn.Proto.Constants[i&0xff]
}

// concat refuses a string of more than MaxString bytes. A value of another type has its own
// operation, to which it passes a part of the result.
func (m *Meter) concat(L *glua.LState, inst uint32, base *frame) int {
	o := m.operands(L, inst)
	size, other := 0, false
	for _, v := range o.registers[o.b : o.c+1] {
		switch v := v.(type) {
		case glua.LString:
			size += len(v)
		case glua.LNumber:
			size++ // at least
		default:
			size, other = 0, true
		}
		if size > MaxString {
			L.RaiseError("resulting string too large")
		}
	}
	next := jumpTable[glua.OP_CONCAT](L, inst, base)
	if other {
		o = m.operands(L, inst)
		if s, ok := o.registers[o.a].(glua.LString); ok && len(s) > MaxString {
			o.registers[o.a] = glua.LNil
			L.RaiseError("resulting string too large")
		}
	}
	return next
}

func (m *Meter) getTable(L *glua.LState, inst uint32, base *frame) int {
	o := m.operands(L, inst)
	if key := o.value(o.c); isLarge(key) {
		if v := sparseValue(L, o.registers[o.b], key); v != glua.LNil {
			o.registers[o.a] = v
			return 0
		}
	}
	return jumpTable[glua.OP_GETTABLE](L, inst, base)
}

func isLarge(key glua.LValue) bool {
	n, ok := key.(glua.LNumber)
	return ok && n >= farthest
}

// sparseValue finds a key in the hash part of a table, or of the tables that stand in for it.
func sparseValue(L *glua.LState, of, key glua.LValue) glua.LValue {
	for range glua.MaxTableGetLoop {
		if t, ok := of.(*glua.LTable); ok {
			v := t.RawGetH(key)
			if v != glua.LNil || t.Metatable == glua.LNil || t.RawGet(key) != glua.LNil {
				return v
			}
		}
		if of = standIn(L, of, "__index"); of == nil {
			break
		}
	}
	return glua.LNil
}

// standIn is the value that replaces another in an access, if it is not a function that is called.
func standIn(L *glua.LState, of glua.LValue, event string) glua.LValue {
	switch next := L.GetMetaField(of, event).(type) {
	case *glua.LNilType, *glua.LFunction:
		return nil
	default:
		return next
	}
}

func (m *Meter) setTable(L *glua.LState, inst uint32, base *frame) int {
	o := m.operands(L, inst)
	if n, ok := o.value(o.b).(glua.LNumber); ok && isSparse(n) {
		key := o.value(o.b)
		if t := target(L, o.registers[o.a], key); t != nil {
			m.setSparse(t, key, int(n), o.value(o.c))
			return 0
		}
	}
	return jumpTable[glua.OP_SETTABLE](L, inst, base)
}

// target is the table that an assignment changes; nil if it calls a function or fails.
func target(L *glua.LState, of, key glua.LValue) *glua.LTable {
	for range glua.MaxTableGetLoop {
		t, ok := of.(*glua.LTable)
		if ok && (t.Metatable == glua.LNil || t.RawGet(key) != glua.LNil || t.RawGetH(key) != glua.LNil) {
			return t
		}
		if ok && L.GetMetaField(t, "__newindex") == glua.LNil {
			return t
		}
		if of = standIn(L, of, "__newindex"); of == nil {
			return nil
		}
	}
	return nil
}

// setList stores items of a constructor, which follow each other. Keys of the hash part that they
// replace are removed.
func (m *Meter) setList(L *glua.LState, inst uint32, base *frame) int {
	o := m.operands(L, inst)
	t, _ := o.registers[o.a].(*glua.LTable)
	before := m.direct.place.arrayLength(t)
	next := jumpTable[glua.OP_SETLIST](L, inst, base)
	if end := m.direct.place.arrayLength(t); end >= farthest {
		for i := max(before+1, farthest); i <= end; i++ {
			taken(t, i)
		}
		absorb(t, end+1)
	}
	return next
}
