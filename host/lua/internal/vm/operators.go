//go:build !purego

package vm

import glua "github.com/yuin/gopher-lua"

// These instructions take more than constant time for some operands, and pay for it. The usual operands
// come first; the others are left to gopher-lua.

// open is an instruction whose operands end at the top of the registry if there are many.
func (m *Meter) open(opcode int) instruction {
	native := jumpTable[opcode]
	return func(L *glua.LState, inst uint32, base *frame) int {
		if b(inst) == 0 {
			m.chargeOpen(L, inst)
		}
		return native(L, inst, base)
	}
}

// chargeOpen pays for the values from the register A to the top.
func (m *Meter) chargeOpen(L *glua.LState, inst uint32) {
	p := &m.direct.place
	cf := *p.currentFrame(L)
	m.Charge(int64(max(p.registryOf(L).top-cf.LocalBase-a(inst), 0)) / elementsPerStep)
}

func (m *Meter) varargs(L *glua.LState, inst uint32, base *frame) int {
	if cf := *m.direct.place.currentFrame(L); cf.NArgs > elementsPerStep {
		m.Charge(int64(cf.NArgs) / elementsPerStep)
	}
	return jumpTable[glua.OP_VARARG](L, inst, base)
}

// length is #. The border of a table is behind the elements at its end that were set to nil.
func (m *Meter) length(L *glua.LState, inst uint32, base *frame) int {
	p := &m.direct.place
	cf, registers := p.executing(L)
	t, ok := value(cf, registers, b(inst)).(*glua.LTable)
	if !ok {
		return jumpTable[glua.OP_LEN](L, inst, base)
	}
	elements := *p.arrayOf(t)
	if len(elements) == 0 || elements[len(elements)-1] != glua.LNil || L.GetMetaField(t, "__len") != glua.LNil {
		return jumpTable[glua.OP_LEN](L, inst, base)
	}
	p.put(L, cf, a(inst), glua.LNumber(m.Len(t)))
	return 0
}

// useLong makes comparisons and arithmetic of long strings pay for the bytes. It costs each of them a test, so
// it waits for the first string that is longLength bytes long, or for work as for one. A shorter string is
// compared, or read as a number, in the time of a few instructions.
func (d *direct) useLong(m *Meter) {
	for _, opcode := range []int{glua.OP_ADD, glua.OP_SUB, glua.OP_MUL, glua.OP_DIV, glua.OP_MOD, glua.OP_POW, glua.OP_UNM} {
		d.execute[opcode] = m.arithmetic(&d.place, opcode)
	}
	d.execute[glua.OP_EQ] = m.equal(&d.place)
	d.execute[glua.OP_LT] = m.less(&d.place)
	d.execute[glua.OP_LE] = m.lessOrEqual(&d.place)
}

//go:noinline // the instruction could not inline what it calls
func (m *Meter) arithmetic(p *places, opcode int) instruction {
	native, two := jumpTable[opcode], opcode != glua.OP_UNM
	return func(L *glua.LState, inst uint32, base *frame) int {
		cf, registers := p.executing(L)
		m.ChargeKey(value(cf, registers, b(inst)))
		if two {
			m.ChargeKey(value(cf, registers, c(inst)))
		}
		return native(L, inst, base)
	}
}

//go:noinline // the instruction could not inline what it calls
func (m *Meter) equal(p *places) instruction {
	native := jumpTable[glua.OP_EQ]
	return func(L *glua.LState, inst uint32, base *frame) int {
		cf, registers := p.executing(L)
		v, w := value(cf, registers, b(inst)), value(cf, registers, c(inst))
		if x, ok := v.(glua.LNumber); ok {
			if y, ok := w.(glua.LNumber); ok {
				return decided(cf, inst, x == y)
			}
		} else if x, y, ok := long(v, w); ok {
			return decided(cf, inst, m.Equal(x, y))
		}
		return native(L, inst, base)
	}
}

//go:noinline // the instruction could not inline what it calls
func (m *Meter) less(p *places) instruction {
	native := jumpTable[glua.OP_LT]
	return func(L *glua.LState, inst uint32, base *frame) int {
		cf, registers := p.executing(L)
		v, w := value(cf, registers, b(inst)), value(cf, registers, c(inst))
		if x, ok := v.(glua.LNumber); ok {
			if y, ok := w.(glua.LNumber); ok {
				return decided(cf, inst, x < y)
			}
		} else if x, y, ok := long(v, w); ok {
			return decided(cf, inst, m.Compare(x, y) < 0)
		}
		return native(L, inst, base)
	}
}

//go:noinline // the instruction could not inline what it calls
func (m *Meter) lessOrEqual(p *places) instruction {
	native := jumpTable[glua.OP_LE]
	return func(L *glua.LState, inst uint32, base *frame) int {
		cf, registers := p.executing(L)
		v, w := value(cf, registers, b(inst)), value(cf, registers, c(inst))
		if x, ok := v.(glua.LNumber); ok {
			if y, ok := w.(glua.LNumber); ok {
				return decided(cf, inst, x <= y)
			}
		} else if x, y, ok := long(v, w); ok {
			return decided(cf, inst, m.Compare(x, y) <= 0)
		}
		return native(L, inst, base)
	}
}

// long are two strings that take more than a step to compare.
func long(v, w glua.LValue) (x, y string, ok bool) {
	if s, ok := v.(glua.LString); ok && len(s) >= BytesPerStep {
		t, ok := w.(glua.LString)
		return string(s), string(t), ok && len(t) >= BytesPerStep
	}
	return "", "", false
}

// decided ends a comparison: if the result is not the one that A asks for, the next instruction, a jump,
// is passed over.
func decided(cf *frame, inst uint32, result bool) int {
	if result == (a(inst) == 0) {
		cf.Pc++
	}
	return 0
}
