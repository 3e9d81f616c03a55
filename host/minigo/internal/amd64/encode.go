package amd64

import "encoding/binary"

// opcode identifies an instruction: prefix, escape and operation byte.
type opcode struct {
	prefix byte // 0 if there is none
	wide   bool // 64 bits
	escape bool // 0F comes before op
	op     byte
	bytes  bool // the register is one of 8 bits
}

// modrm writes an instruction with a register, or an operation number, and an operand.
func (a *Asm) modrm(o opcode, reg uint8, rm Arg) {
	if o.prefix != 0 {
		a.buf = append(a.buf, o.prefix)
	}
	a.rex(o, reg, rm)
	if o.escape {
		a.buf = append(a.buf, 0x0f)
	}
	a.buf = append(a.buf, o.op)
	a.operand(reg, rm)
}

// rex writes the prefix that widens the operation and the registers, if it is needed.
func (a *Asm) rex(o opcode, reg uint8, rm Arg) {
	rex := byte(0)
	if o.wide {
		rex |= 8
	}
	rex |= reg >> 3 << 2
	rex |= rm.reg >> 3
	if rm.kind == atIndex {
		rex |= byte(rm.index) >> 3 << 1
	}
	if rex != 0 || o.bytes {
		a.buf = append(a.buf, 0x40|rex)
	}
}

// operand writes the bytes that name a register and an operand.
func (a *Asm) operand(reg uint8, rm Arg) {
	reg = reg & 7 << 3
	base := rm.reg & 7
	if rm.kind == inReg || rm.kind == inXmm {
		a.buf = append(a.buf, 0xc0|reg|base)
		return
	}
	mod := byte(0)
	switch {
	case rm.disp != int32(int8(rm.disp)):
		mod = 0x80
	case rm.disp != 0 || base == byte(BP): // a base of BP or R13 always has a displacement
		mod = 0x40
	}
	switch {
	case rm.kind == atIndex:
		a.buf = append(a.buf, mod|reg|4, rm.scale<<6|byte(rm.index)&7<<3|base)
	case base == byte(SP): // likewise SP or R12 and the second byte
		a.buf = append(a.buf, mod|reg|4, 0x20|base)
	default:
		a.buf = append(a.buf, mod|reg|base)
	}
	switch mod {
	case 0x40:
		a.buf = append(a.buf, byte(rm.disp))
	case 0x80:
		a.int32(rm.disp)
	}
}

func (a *Asm) int32(v int32) { a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(v)) }

// short reports whether a number fits into a signed byte.
func short(v int32) bool { return v == int32(int8(v)) }
