package amd64

import "encoding/binary"

// Alu is an operation of the group with equal encodings.
type Alu uint8

// The operations, in the processor's numbering.
const (
	Add Alu = 0
	Or  Alu = 1
	Sbb Alu = 3
	And Alu = 4
	Sub Alu = 5
	Xor Alu = 6
	Cmp Alu = 7
)

// Shift is a shift, in the processor's numbering.
type Shift uint8

// The shifts.
const (
	Shl Shift = 4
	Shr Shift = 5
	Sar Shift = 7
)

// Unary is an operation of one operand, in the processor's numbering. Those that multiply and
// divide work on AX and DX.
type Unary uint8

// The operations.
const (
	Not  Unary = 2
	Neg  Unary = 3
	Mul  Unary = 4
	Imul Unary = 5
	Div  Unary = 6
	Idiv Unary = 7
)

func wide(op byte) opcode { return opcode{wide: true, op: op} }

func wide2(op byte) opcode { return opcode{wide: true, escape: true, op: op} }

// Op is dst = dst op src.
func (a *Asm) Op(op Alu, dst Reg, src Arg) { a.modrm(wide(byte(op)<<3|3), uint8(dst), src) }

// OpTo is dst = dst op src, where dst may be in memory.
func (a *Asm) OpTo(op Alu, dst Arg, src Reg) { a.modrm(wide(byte(op)<<3|1), uint8(src), dst) }

// OpImm is dst = dst op v.
func (a *Asm) OpImm(op Alu, dst Arg, v int32) { a.opImm(true, op, dst, v) }

// Op32Imm is the same in 32 bits.
func (a *Asm) Op32Imm(op Alu, dst Arg, v int32) { a.opImm(false, op, dst, v) }

func (a *Asm) opImm(wide bool, op Alu, dst Arg, v int32) {
	if short(v) {
		a.modrm(opcode{wide: wide, op: 0x83}, uint8(op), dst)
		a.buf = append(a.buf, byte(v))
		return
	}
	a.modrm(opcode{wide: wide, op: 0x81}, uint8(op), dst)
	a.int32(v)
}

// Unary is the operation on the operand.
func (a *Asm) Unary(op Unary, dst Arg) { a.modrm(wide(0xf7), uint8(op), dst) }

// Cqo fills DX with the sign of AX.
func (a *Asm) Cqo() { a.buf = append(a.buf, 0x48, 0x99) }

// Imul is dst = dst * src.
func (a *Asm) Imul(dst Reg, src Arg) { a.modrm(wide2(0xaf), uint8(dst), src) }

// ImulImm is dst = src * v.
func (a *Asm) ImulImm(dst Reg, src Arg, v int32) {
	a.modrm(wide(0x69), uint8(dst), src)
	a.int32(v)
}

// ShiftImm shifts by a constant.
func (a *Asm) ShiftImm(op Shift, dst Arg, n uint8) {
	a.modrm(wide(0xc1), uint8(op), dst)
	a.buf = append(a.buf, n)
}

// ShiftCL shifts by CL, modulo 64.
func (a *Asm) ShiftCL(op Shift, dst Arg) { a.modrm(wide(0xd3), uint8(op), dst) }

// FlipBit inverts bit n.
func (a *Asm) FlipBit(dst Arg, n uint8) {
	a.modrm(wide2(0xba), 7, dst)
	a.buf = append(a.buf, n)
}

// Test compares a register with 0.
func (a *Asm) Test(r Reg) { a.modrm(wide(0x85), uint8(r), In(r)) }

// TestImm compares the bits of v in the operand with 0.
func (a *Asm) TestImm(x Arg, v int32) {
	a.modrm(wide(0xf7), 0, x)
	a.int32(v)
}

// Mov is dst = src.
func (a *Asm) Mov(dst Reg, src Arg) { a.modrm(wide(0x8b), uint8(dst), src) }

// Mov32 is dst = src, 32 bits without a sign.
func (a *Asm) Mov32(dst Reg, src Arg) { a.modrm(opcode{op: 0x8b}, uint8(dst), src) }

// Store is dst = src.
func (a *Asm) Store(dst Arg, src Reg) { a.modrm(wide(0x89), uint8(src), dst) }

// Store32 is dst = src, 32 bits.
func (a *Asm) Store32(dst Arg, src Reg) { a.modrm(opcode{op: 0x89}, uint8(src), dst) }

// StoreImm is dst = v.
func (a *Asm) StoreImm(dst Arg, v int32) {
	a.modrm(wide(0xc7), 0, dst)
	a.int32(v)
}

// Store32Imm is dst = v, 32 bits.
func (a *Asm) Store32Imm(dst Arg, v int32) {
	a.modrm(opcode{op: 0xc7}, 0, dst)
	a.int32(v)
}

// MovImm is dst = v. It does not change the flags.
func (a *Asm) MovImm(dst Reg, v uint64) {
	switch {
	case v == uint64(uint32(v)):
		if dst >= R8 {
			a.buf = append(a.buf, 0x41)
		}
		a.buf = append(a.buf, 0xb8|byte(dst)&7)
		a.int32(int32(uint32(v)))
	case int64(v) == int64(int32(v)):
		a.StoreImm(In(dst), int32(v))
	default:
		a.buf = append(a.buf, 0x48|byte(dst)>>3, 0xb8|byte(dst)&7)
		a.buf = binary.LittleEndian.AppendUint64(a.buf, v)
	}
}

// Lea is dst = the address of src.
func (a *Asm) Lea(dst Reg, src Arg) { a.modrm(wide(0x8d), uint8(dst), src) }

// Sext8 is dst = the low 8 bits of src, sign-extended; the others likewise.
func (a *Asm) Sext8(dst Reg, src Arg) { a.modrm(wide2(0xbe), uint8(dst), src) }

// Sext16 sign-extends 16 bits.
func (a *Asm) Sext16(dst Reg, src Arg) { a.modrm(wide2(0xbf), uint8(dst), src) }

// Sext32 sign-extends 32 bits.
func (a *Asm) Sext32(dst Reg, src Arg) { a.modrm(wide(0x63), uint8(dst), src) }

// Zext8 zero-extends 8 bits.
func (a *Asm) Zext8(dst Reg, src Arg) { a.modrm(wide2(0xb6), uint8(dst), src) }

// Zext16 zero-extends 16 bits.
func (a *Asm) Zext16(dst Reg, src Arg) { a.modrm(wide2(0xb7), uint8(dst), src) }

// Set is the low byte of dst = 1 if the condition holds, else 0.
func (a *Asm) Set(c Cond, dst Reg) {
	a.modrm(opcode{escape: true, op: 0x90 | byte(c), bytes: true}, 0, In(dst))
}

// Cmov is dst = src if the condition holds.
func (a *Asm) Cmov(c Cond, dst Reg, src Arg) { a.modrm(wide2(0x40|byte(c)), uint8(dst), src) }
