//go:build !purego

package vm

import (
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// instructions are gopher-lua's, by opcode, except calls and those that could use any amount of
// memory. The length is that of all opcodes that six bits can hold, so that no index needs a check.
type instructions [1 << (32 - opcodeShift)]instruction

// bounded replaces the instructions that need a bound. Each does the usual case itself, which pays
// for the check, and leaves the others to gopher-lua's.
func (m *Meter) bounded(d *direct) *instructions {
	var all instructions
	copy(all[:], jumpTable[:])
	all[glua.OP_CONCAT] = m.concat
	all[glua.OP_GETTABLE] = m.getTable(&d.place)
	all[glua.OP_SETTABLE] = m.setTable(&d.place)
	all[glua.OP_SETLIST] = m.setList
	all[glua.OP_LEN] = m.length
	all[glua.OP_VARARG] = m.varargs
	all[glua.OP_TAILCALL] = m.open(glua.OP_TAILCALL)
	all[glua.OP_RETURN] = m.returns(&d.place)
	all[glua.OP_CALL] = d.call(m)
	return &all
}

// The other operands of an instruction. They are registers, or constants from 256 on.
func b(inst uint32) int { return int(inst) & 0x1ff }
func c(inst uint32) int { return int(inst>>9) & 0x1ff }

// value is that of a register or a constant.
func value(cf *frame, registers []glua.LValue, i int) glua.LValue {
	if i < 1<<8 {
		return registers[i]
	}
	return cf.Fn.Proto.Constants[i&0xff]
}

// concat refuses a string of more than MaxString bytes.
func (m *Meter) concat(L *glua.LState, inst uint32, base *frame) int {
	p := &m.direct.place
	cf, registers := p.executing(L)
	var few [8]string
	parts, size := few[:0], 0
	for _, v := range registers[b(inst) : c(inst)+1] {
		s, ok := text(v)
		if !ok || len(parts) == len(few) {
			return m.concatOthers(L, inst, base)
		}
		parts, size = append(parts, s), size+len(s)
	}
	if size > BytesPerStep {
		return m.concatLong(L, inst, parts, size)
	}
	m.Alloc(stringBytes + int64(size))
	p.put(L, cf, a(inst), glua.LString(strings.Join(parts, "")))
	return 0
}

func (m *Meter) concatLong(L *glua.LState, inst uint32, parts []string, size int) int {
	all := m.NewText(L, size)
	defer all.Close()
	for _, part := range parts {
		all.Add(part)
	}
	p := &m.direct.place
	cf, _ := p.executing(L)
	p.put(L, cf, a(inst), glua.LString(all.String()))
	return 0
}

// text is the text of a string or a number, as LVAsString makes it.
func text(v glua.LValue) (s string, ok bool) {
	switch v := v.(type) {
	case glua.LString:
		return string(v), true
	case glua.LNumber:
		if n := int64(v); glua.LNumber(n) == v {
			return strconv.FormatInt(n, 10), true
		}
		return v.String(), true
	}
	return "", false
}

// concatOthers is concat of any values. A value that is no string and no number has its own
// operation, which gets a part of the result.
func (m *Meter) concatOthers(L *glua.LState, inst uint32, base *frame) int {
	_, registers := m.direct.place.executing(L)
	size, all, other := 0, 0, false
	for _, v := range registers[b(inst) : c(inst)+1] {
		if s, ok := text(v); ok {
			size, all = size+len(s), all+len(s)
		} else {
			size, other = 0, true
		}
		if size > MaxString {
			L.RaiseError(tooLarge)
		}
	}
	m.Alloc(stringBytes + int64(all))
	m.expect(all)
	m.Charge(int64(size / BytesPerStep))
	next := jumpTable[glua.OP_CONCAT](L, inst, base)
	if other {
		_, registers = m.direct.place.executing(L)
		if s, ok := registers[a(inst)].(glua.LString); ok && len(s) > MaxString {
			registers[a(inst)] = glua.LNil
			L.RaiseError(tooLarge)
		}
	}
	return next
}

//go:noinline // the instruction could not inline what it calls
func (m *Meter) getTable(p *places) instruction {
	native := jumpTable[glua.OP_GETTABLE]
	return func(L *glua.LState, inst uint32, base *frame) int {
		cf, registers := p.executing(L)
		key := value(cf, registers, c(inst))
		n, ok := key.(glua.LNumber)
		if !ok {
			if isLong(key) {
				m.ChargeKey(key)
			}
			return native(L, inst, base)
		}
		if t, ok := registers[b(inst)].(*glua.LTable); ok {
			elements, i := *p.arrayOf(t), int(n)-1
			if uint(i) < uint(len(elements)) && glua.LNumber(i+1) == n && elements[i] != glua.LNil {
				p.put(L, cf, a(inst), elements[i])
				return 0
			}
		}
		if n >= farthest {
			if v := sparseValue(L, registers[b(inst)], key); v != glua.LNil {
				p.put(L, cf, a(inst), v)
				return 0
			}
		}
		return native(L, inst, base)
	}
}

//go:noinline // the instruction could not inline what it calls
func (m *Meter) setTable(p *places) instruction {
	native := jumpTable[glua.OP_SETTABLE]
	return func(L *glua.LState, inst uint32, base *frame) int {
		cf, registers := p.executing(L)
		key := value(cf, registers, b(inst))
		n, ok := key.(glua.LNumber)
		if !ok {
			if isLong(key) {
				m.ChargeKey(key)
			}
			return native(L, inst, base)
		}
		if t, ok := registers[a(inst)].(*glua.LTable); ok {
			elements, i := *p.arrayOf(t), int(n)-1
			if uint(i) < uint(len(elements)) && glua.LNumber(i+1) == n && elements[i] != glua.LNil {
				elements[i] = value(cf, registers, c(inst))
				return 0
			}
		}
		if isSparse(n) {
			if t := target(L, registers[a(inst)], key); t != nil {
				m.setSparse(t, key, int(n), value(cf, registers, c(inst)))
				return 0
			}
		}
		return native(L, inst, base)
	}
}

// isLong returns whether it takes more than a step to hash a key.
func isLong(key glua.LValue) bool {
	s, ok := key.(glua.LString)
	return ok && len(s) >= BytesPerStep
}

// setList stores items of a constructor, which follow each other. Keys of the hash part that they
// replace are removed.
func (m *Meter) setList(L *glua.LState, inst uint32, base *frame) int {
	_, registers := m.direct.place.executing(L)
	t := registers[a(inst)].(*glua.LTable)
	if b(inst) == 0 {
		m.chargeOpen(L, inst)
	}
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
