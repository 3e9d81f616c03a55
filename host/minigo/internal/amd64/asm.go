package amd64

import "encoding/binary"

// Asm is code being written. The zero Asm is ready for use.
type Asm struct {
	buf    []byte
	labels []int // where each is bound; -1: not yet
	fixes  []fix
}

// Label is a place in the code.
type Label int

// fix is a distance to a label that is still to be written.
type fix struct {
	at    int
	label Label
}

// NewLabel makes a label that is not bound yet.
func (a *Asm) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Bind puts a label before the next instruction.
func (a *Asm) Bind(l Label) { a.labels[l] = len(a.buf) }

// Offset is where a bound label is; -1 if it is not bound.
func (a *Asm) Offset(l Label) int { return a.labels[l] }

// Len is the size of the code so far.
func (a *Asm) Len() int { return len(a.buf) }

// Align fills up with instructions that do nothing until the size is a multiple of n.
func (a *Asm) Align(n int) {
	for len(a.buf)%n != 0 {
		a.buf = append(a.buf, 0x90)
	}
}

// Bytes is the code with all jumps going where they should. Every label that is used must
// be bound.
func (a *Asm) Bytes() []byte {
	for _, f := range a.fixes {
		to := a.labels[f.label]
		if to < 0 {
			panic("amd64: a label is used and not bound")
		}
		binary.LittleEndian.PutUint32(a.buf[f.at:], uint32(int32(to-f.at-4)))
	}
	a.fixes = nil
	return a.buf
}

func (a *Asm) distance(l Label) {
	a.fixes = append(a.fixes, fix{len(a.buf), l})
	a.int32(0)
}

// Jmp jumps to the label.
func (a *Asm) Jmp(l Label) {
	a.buf = append(a.buf, 0xe9)
	a.distance(l)
}

// Jcc jumps to the label if the condition holds.
func (a *Asm) Jcc(c Cond, l Label) {
	a.buf = append(a.buf, 0x0f, 0x80|byte(c))
	a.distance(l)
}

// JmpTo jumps to the address in a register or in memory.
func (a *Asm) JmpTo(to Arg) { a.modrm(opcode{op: 0xff}, 4, to) }

// Ret returns to who called the code.
func (a *Asm) Ret() { a.buf = append(a.buf, 0xc3) }

// LeaLabel loads the address of a label.
func (a *Asm) LeaLabel(dst Reg, l Label) {
	a.buf = append(a.buf, 0x48|byte(dst)>>3<<2, 0x8d, byte(dst)&7<<3|5)
	a.distance(l)
}
