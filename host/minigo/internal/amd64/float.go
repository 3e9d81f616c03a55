package amd64

// Float is a float operation in the processor's numbering.
type Float uint8

// The operations.
const (
	SqrtF Float = 0x51
	AddF  Float = 0x58
	MulF  Float = 0x59
	SubF  Float = 0x5c
	DivF  Float = 0x5e
)

func sse(prefix, op byte) opcode { return opcode{prefix: prefix, escape: true, op: op} }

func sseWide(prefix, op byte) opcode {
	return opcode{prefix: prefix, wide: true, escape: true, op: op}
}

// OpF is dst = dst op src, or the square root of src.
func (a *Asm) OpF(op Float, dst Xmm, src Arg) { a.modrm(sse(0xf2, byte(op)), uint8(dst), src) }

// LoadF is dst = src, which is in memory.
func (a *Asm) LoadF(dst Xmm, src Arg) { a.modrm(sse(0xf2, 0x10), uint8(dst), src) }

// StoreF is dst = src; dst is in memory.
func (a *Asm) StoreF(dst Arg, src Xmm) { a.modrm(sse(0xf2, 0x11), uint8(src), dst) }

// MovF is dst = src.
func (a *Asm) MovF(dst, src Xmm) { a.modrm(sse(0, 0x28), uint8(dst), InX(src)) }

// ZeroF is dst = 0.
func (a *Asm) ZeroF(dst Xmm) { a.modrm(sse(0, 0x57), uint8(dst), InX(dst)) }

// CompareF sets the flags of an unsigned comparison; if either operand is NaN, it sets Parity,
// Below and Equal.
func (a *Asm) CompareF(x Xmm, y Arg) { a.modrm(sse(0x66, 0x2e), uint8(x), y) }

// Bits is dst = the bits of src.
func (a *Asm) Bits(dst Reg, src Xmm) { a.modrm(sseWide(0x66, 0x7e), uint8(src), In(dst)) }

// FromBits is dst = the float with the bits of src.
func (a *Asm) FromBits(dst Xmm, src Reg) { a.modrm(sseWide(0x66, 0x6e), uint8(dst), In(src)) }

// IntToF is dst = src, a signed integer.
func (a *Asm) IntToF(dst Xmm, src Arg) { a.modrm(sseWide(0xf2, 0x2a), uint8(dst), src) }

// IntToSingle is dst = src, rounded to a float of 32 bits.
func (a *Asm) IntToSingle(dst Xmm, src Arg) { a.modrm(sseWide(0xf3, 0x2a), uint8(dst), src) }

// FToInt is dst = src truncated; the smallest integer if src is out of range or NaN.
func (a *Asm) FToInt(dst Reg, src Arg) { a.modrm(sseWide(0xf2, 0x2c), uint8(dst), src) }

// FToInt32 is FToInt to an integer of 32 bits; the upper half of dst becomes 0.
func (a *Asm) FToInt32(dst Reg, src Arg) { a.modrm(sse(0xf2, 0x2c), uint8(dst), src) }

// ToSingle is dst = src, rounded to a float of 32 bits.
func (a *Asm) ToSingle(dst Xmm, src Arg) { a.modrm(sse(0xf2, 0x5a), uint8(dst), src) }

// FromSingle is dst = src, a float of 32 bits.
func (a *Asm) FromSingle(dst Xmm, src Arg) { a.modrm(sse(0xf3, 0x5a), uint8(dst), src) }

// LoadPair is dst = two words of memory, and StorePair the reverse.
func (a *Asm) LoadPair(dst Xmm, src Arg) { a.modrm(sse(0, 0x10), uint8(dst), src) }

// StorePair is two words of memory = src.
func (a *Asm) StorePair(dst Arg, src Xmm) { a.modrm(sse(0, 0x11), uint8(src), dst) }
