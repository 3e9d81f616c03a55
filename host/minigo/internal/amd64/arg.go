package amd64

// Reg is a general purpose register of 64 bits.
type Reg uint8

// The general purpose registers.
const (
	AX Reg = iota
	CX
	DX
	BX
	SP
	BP
	SI
	DI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// Xmm is a float register.
type Xmm uint8

// Two of the float registers; the others are numbered from X0.
const (
	X0 Xmm = iota
	X1
)

// kind is the kind of an Arg.
type kind uint8

const (
	inReg kind = iota
	inXmm
	atBase
	atIndex
)

// Arg is an operand that may be a register or a memory address.
type Arg struct {
	kind  kind
	reg   uint8 // the register, or the base of an address
	index Reg
	scale uint8 // log2 of the factor
	disp  int32
}

// In is a register.
func In(r Reg) Arg { return Arg{reg: uint8(r)} }

// InX is a float register.
func InX(x Xmm) Arg { return Arg{kind: inXmm, reg: uint8(x)} }

// At is the memory at base + disp.
func At(base Reg, disp int32) Arg { return Arg{kind: atBase, reg: uint8(base), disp: disp} }

// AtIndex is the memory at base + index << scale + disp. The index cannot be SP.
func AtIndex(base, index Reg, scale uint8, disp int32) Arg {
	return Arg{kind: atIndex, reg: uint8(base), index: index, scale: scale, disp: disp}
}

// IsReg reports whether the operand is a general purpose register, and which.
func (a Arg) IsReg() (Reg, bool) { return Reg(a.reg), a.kind == inReg }

// IsXmm reports whether the operand is a float register, and which.
func (a Arg) IsXmm() (Xmm, bool) { return Xmm(a.reg), a.kind == inXmm }

// Cond is a condition code in the processor's numbering: the lowest bit negates it.
type Cond uint8

// The conditions: unsigned (Below, Above), signed (Less, Greater), and flags.
const (
	Overflow     Cond = 0x0
	Below        Cond = 0x2
	AboveEqual   Cond = 0x3
	Equal        Cond = 0x4
	NotEqual     Cond = 0x5
	BelowEqual   Cond = 0x6
	Above        Cond = 0x7
	Sign         Cond = 0x8
	Parity       Cond = 0xa
	NoParity     Cond = 0xb
	Less         Cond = 0xc
	GreaterEqual Cond = 0xd
	LessEqual    Cond = 0xe
	Greater      Cond = 0xf
)

// Not is the opposite condition.
func (c Cond) Not() Cond { return c ^ 1 }
