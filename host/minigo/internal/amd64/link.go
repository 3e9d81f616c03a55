package amd64

import "encoding/binary"

// place is a position in the code: the number of bytes and of links before it. After linking,
// only the bytes count.
type place struct{ at, links int }

// link is a piece of the code whose bytes depend on the positions of other pieces.
type link struct {
	kind  linkKind
	cond  Cond
	label Label
	at    int // offset in the bytes that do not depend on positions
	size  int // of the piece; for an align, the mask of the offset bits that must be 0 behind it
}

// linkKind is the kind of a link.
type linkKind uint8

const (
	jmp linkKind = iota
	jcc
	distance // 32 bits
	align
)

// A jump near its label takes two bytes; any other takes five, or six with a condition.
const (
	shortJump = 2
	longJmp   = 5
	longJcc   = 6
)

// link decides all positions and writes the code. All jumps are short at first. A jump that does
// not reach its label becomes long, which moves the code behind it; this repeats until all jumps
// reach. It terminates, because no jump becomes short again.
func (a *Asm) link() {
	starts := make([]int, len(a.links)+1) // of each link; behind them, the size of all
	for a.layOut(starts); a.lengthen(starts); {
		a.layOut(starts)
	}
	code := make([]byte, 0, starts[len(a.links)])
	done := 0
	for _, l := range a.links {
		code = append(code, a.buf[done:l.at]...)
		done = l.at
		code = a.write(code, l, starts)
	}
	code = append(code, a.buf[done:]...)
	for i := range a.labels {
		if a.labels[i].at >= 0 {
			a.labels[i] = place{at: a.position(Label(i), starts)}
		}
	}
	a.buf, a.links = code, nil
}

// layOut computes the starts of the links.
func (a *Asm) layOut(starts []int) {
	grown := 0
	for i, l := range a.links {
		starts[i] = l.at + grown
		if l.kind == align {
			grown += -starts[i] & l.size
		} else {
			grown += l.size
		}
	}
	starts[len(a.links)] = len(a.buf) + grown
}

// lengthen makes the jumps that do not reach their labels long, and reports whether there were
// any.
func (a *Asm) lengthen(starts []int) (any bool) {
	for i := range a.links {
		l := &a.links[i]
		if l.kind > jcc || l.size != shortJump {
			continue
		}
		if short(int32(a.position(l.label, starts) - starts[i] - shortJump)) {
			continue
		}
		any = true
		l.size = longJmp
		if l.kind == jcc {
			l.size = longJcc
		}
	}
	return any
}

// position is the final position of a label.
func (a *Asm) position(l Label, starts []int) int {
	p := a.labels[l]
	if p.at < 0 {
		panic("amd64: a label is used and not bound")
	}
	if p.links == 0 {
		return p.at
	}
	before := a.links[p.links-1]
	end := starts[p.links-1] + before.size
	if before.kind == align {
		end = (starts[p.links-1] + before.size) &^ before.size
	}
	return end + p.at - before.at
}

// write appends the bytes of a link.
func (a *Asm) write(code []byte, l link, starts []int) []byte {
	if l.kind == align {
		return fill(code, -len(code)&l.size)
	}
	to := int32(a.position(l.label, starts) - len(code) - l.size)
	switch {
	case l.kind == distance:
	case l.kind == jmp && l.size == shortJump:
		return append(code, 0xeb, byte(to))
	case l.size == shortJump:
		return append(code, 0x70|byte(l.cond), byte(to))
	case l.kind == jmp:
		code = append(code, 0xe9)
	default:
		code = append(code, 0x0f, 0x80|byte(l.cond))
	}
	return binary.LittleEndian.AppendUint32(code, uint32(to))
}

// fill appends n bytes of no-ops: the long forms that the processors' makers recommend.
func fill(code []byte, n int) []byte {
	const longest = 8
	for ; n >= longest; n -= longest {
		code = append(code, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0)
	}
	return append(code, [longest][]byte{
		{}, {0x90}, {0x66, 0x90}, {0x0f, 0x1f, 0x00}, {0x0f, 0x1f, 0x40, 0}, {0x0f, 0x1f, 0x44, 0, 0},
		{0x66, 0x0f, 0x1f, 0x44, 0, 0}, {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
	}[n]...)
}
