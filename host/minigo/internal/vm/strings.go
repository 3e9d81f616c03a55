package vm

import (
	"unicode/utf8"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

// maxString is the length of the longest string that + makes.
const maxString = 1 << 30

// text executes the instructions on strings.
func (m *Machine) text(st *State, in *code.Instr, n []uint64, r []any) step {
	switch in.Op {
	case code.Concat:
		x, y := value.Str(r[in.B]), value.Str(r[in.C])
		switch {
		case y == "":
			r[in.A] = r[in.B]
		case x == "":
			r[in.A] = r[in.C]
		case len(x)+len(y) > maxString:
			m.out = m.fatal(st, "runtime: out of memory: a string is too long")
			return leaveSlice
		case len(x)+len(y) > value.PieceBytes:
			return m.concat(st, x, y, &r[in.A])
		default:
			m.charge(len(x) + len(y))
			r[in.A] = m.newText(x + y)
		}
	case code.SliceStr:
		return m.sliceString(st, in, n, r)
	case code.StrRune:
		c := rune(utf8.RuneError)
		if v := int64(n[in.B]); v == int64(rune(v)) {
			c = rune(v)
		}
		r[in.A] = m.newText(string(c))
	case code.StrBytes, code.StrRunes, code.BytesStr, code.RunesStr:
		return m.convert(st, in, n, r)
	case code.NextRune:
		s := value.Str(r[in.B])
		at := int(n[in.C])
		if at >= len(s) {
			st.top().pc += in.D
			return next
		}
		c, width := utf8.DecodeRuneInString(s[at:])
		n[in.A], n[in.A+1] = uint64(width), uint64(int64(c))
	}
	return next
}

func (m *Machine) sliceString(st *State, in *code.Instr, n []uint64, r []any) step {
	x := &st.top().fn.Aux[in.D]
	s := value.Str(r[in.B])
	lo, hi := uint64(0), uint64(len(s))
	if x.I[0] >= 0 {
		lo = n[x.I[0]]
	}
	if x.I[1] >= 0 {
		hi = n[x.I[1]]
	}
	switch {
	case hi > uint64(len(s)):
		return m.throw(st, m.faultOf(sliceString, hi, uint64(len(s))))
	case lo > hi:
		return m.throw(st, m.faultOf(sliceOrder, lo, hi))
	}
	r[in.A] = m.substring(s[lo:hi])
	return next
}

func sliceAt(n []uint64, r []any, a, b int) lib.Slice {
	o, _ := r[b].(*value.Object)
	return lib.Slice{Object: o, Off: int(n[a]), Len: int(n[a+1]), Cap: int(n[a+2])}
}

func setSlice(n []uint64, r []any, a, b int, s lib.Slice) {
	n[a], n[a+1], n[a+2] = uint64(s.Off), uint64(s.Len), uint64(s.Cap)
	if s.Object == nil {
		r[b] = nil
		return
	}
	r[b] = s.Object
}
