package amd64

// Asm is an assembler's output buffer. The zero Asm is ready for use.
type Asm struct {
	buf    []byte // all bytes except those of links
	labels []place
	links  []link
	linked bool
}

// Label is a place in the code.
type Label int

// NewLabel makes a label that is not bound yet.
func (a *Asm) NewLabel() Label {
	a.labels = append(a.labels, place{at: -1})
	return Label(len(a.labels) - 1)
}

// Bind places a label before the next instruction.
func (a *Asm) Bind(l Label) { a.labels[l] = place{len(a.buf), len(a.links)} }

// Offset is the offset of a bound label in Bytes, which must have been called; -1 if the label is
// not bound.
func (a *Asm) Offset(l Label) int {
	if !a.linked || a.labels[l].at < 0 {
		return -1
	}
	return a.labels[l].at
}

// Bytes links and returns the code. Every used label must be bound. Nothing can be written after
// it.
func (a *Asm) Bytes() []byte {
	if !a.linked {
		a.link()
		a.linked = true
	}
	return a.buf
}

// Align pads with no-op instructions to a multiple of n, a power of two.
func (a *Asm) Align(n int) { a.links = append(a.links, link{kind: align, at: len(a.buf), size: n - 1}) }

// Jmp jumps to the label.
func (a *Asm) Jmp(l Label) { a.jump(link{kind: jmp, label: l}) }

// Jcc jumps to the label if the condition holds.
func (a *Asm) Jcc(c Cond, l Label) { a.jump(link{kind: jcc, label: l, cond: c}) }

func (a *Asm) jump(l link) {
	l.at, l.size = len(a.buf), shortJump
	a.links = append(a.links, l)
}

// JmpTo jumps to the address in a register or in memory.
func (a *Asm) JmpTo(to Arg) { a.modrm(opcode{op: 0xff}, 4, to) }

// Ret returns to the caller of the code.
func (a *Asm) Ret() { a.buf = append(a.buf, 0xc3) }

// LeaLabel loads the address of a label.
func (a *Asm) LeaLabel(dst Reg, l Label) {
	a.buf = append(a.buf, 0x48|byte(dst)>>3<<2, 0x8d, byte(dst)&7<<3|5)
	a.links = append(a.links, link{kind: distance, at: len(a.buf), label: l, size: 4})
}
