package vm

import (
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// concat joins two long strings.
func (m *Machine) concat(st *State, x, y string, to *any) step {
	return m.paced(st, len(x)+len(y)+stringBytes, len(x)+len(y), func(p *value.Pace) func() step {
		var b strings.Builder
		b.Grow(len(x) + len(y))
		for _, s := range [...]string{x, y} {
			p.Pieces(0, len(s), 1, func(lo, hi int) { b.WriteString(s[lo:hi]) })
		}
		m.noteText(b.String())
		*to = b.String()
		return goOn
	})
}

// goOn is the end of an operation after which nothing is left to do.
func goOn() step { return next }

// compareStrings executes a comparison of two strings.
func (m *Machine) compareStrings(st *State, in *code.Instr, n []uint64, r []any) step {
	x, y := value.Str(r[in.B]), value.Str(r[in.C])
	if in.Op == code.EqS && len(x) != len(y) {
		n[in.A] = 0
		return next
	}
	work := min(len(x), len(y))
	if work <= value.PieceBytes {
		m.charge(work)
		n[in.A] = word(holdsOf(in.Op, strings.Compare(x, y)))
		return next
	}
	return m.paced(st, 0, work, func(p *value.Pace) func() step {
		n[in.A] = word(holdsOf(in.Op, value.CompareStrings(p, x, y)))
		return goOn
	})
}

// holdsOf reports whether a comparison holds of two values in that order.
func holdsOf(op code.Op, order int) bool {
	return order == 0 && op != code.LtS || order < 0 && op != code.EqS
}

// convert executes a conversion between a string and bytes or runes.
func (m *Machine) convert(st *State, in *code.Instr, n []uint64, r []any) step {
	size := 0
	if in.Op == code.StrBytes || in.Op == code.StrRunes {
		size = int(n[in.B+1]) * wordBytes
	} else {
		size = len(value.Str(r[in.C])) * wordBytes
	}
	if size <= value.PieceBytes {
		m.alloc(value.ObjectBytes + size)
		m.charge(size)
		m.converted(nil, in, n, r)
		return next
	}
	return m.paced(st, value.ObjectBytes+size, size, func(p *value.Pace) func() step {
		m.converted(p, in, n, r)
		return goOn
	})
}

func (m *Machine) converted(p *value.Pace, in *code.Instr, n []uint64, r []any) {
	switch in.Op {
	case code.StrBytes, code.StrRunes:
		text := sliceAt(n, r, int(in.B), int(in.C)).Text(p, in.Op == code.StrRunes)
		m.noteText(text)
		r[in.A] = text
	default:
		setSlice(n, r, int(in.A), int(in.B), lib.Units(p, value.Str(r[in.C]), in.Op == code.RunesStr))
	}
}
