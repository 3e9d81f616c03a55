package compile

import (
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// convertTo computes T(e).
func (f *fn) convertTo(e ast.Expr, t types.Type, dst place) {
	from := f.typeOf(e)
	tv := f.info.Types[e]
	switch {
	case isInterface(t):
		f.toInterface(e, t, dst)
	case tv.Value != nil && isBasic(t) && !(isString(t) && isInteger(from)):
		f.constTo(tv.Value, t, dst)
	case tv.IsNil():
		f.zero(dst, f.c.layout(t))
	case isNumber(t) && isNumber(from):
		f.convertNumber(f.expr(e).n, from, t, dst.n)
	case isString(t) && isInteger(from):
		f.emit(code.StrRune, dst.r, f.expr(e).n, 0, 0)
	case isString(t) && isSlice(from):
		op := code.StrBytes
		if isRunes(from) {
			op = code.StrRunes
		}
		s := f.expr(e)
		f.emit(op, dst.r, s.n, s.r, 0)
	case isSlice(t) && isString(from):
		op := code.BytesStr
		if isRunes(t) {
			op = code.RunesStr
		}
		f.emit(op, dst.n, dst.r, f.expr(e).r, 0)
	case isSlice(from) && !isSlice(t):
		f.refuse(e.Pos(), "conversion of a slice to an array")
	default:
		f.exprTo(e, dst)
	}
}

func (f *fn) toInterface(e ast.Expr, t types.Type, dst place) {
	if from := f.typeOf(e); isInterface(from) && !f.info.Types[e].IsNil() {
		f.exprTo(e, dst) // the methods are looked up when one is called
		return
	}
	f.exprAs(e, t, dst)
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

func isNumber(t types.Type) bool { return isInteger(t) || isFloat(t) }

func isRunes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int32
}

func (f *fn) convertNumber(x int, from, t types.Type, dst int) {
	switch {
	case isFloat(from) && isFloat(t):
		if is32(t) {
			f.emit(code.Rnd32, dst, x, 0, 0)
		} else {
			f.emit(code.MovN, dst, x, 0, 0)
		}
	case isFloat(t):
		op := code.ItoF
		if isUnsigned(from) {
			op = code.UtoF
		}
		f.emit(op, dst, x, 0, int32(b2i(is32(t))))
	case isFloat(from):
		op, short := truncation(t)
		f.emit(op, dst, x, 0, int32(b2i(short)))
		f.narrow(t, dst, dst)
	default:
		f.narrow(t, dst, x)
	}
}

// truncation is the conversion of a float that Go uses on amd64, before narrow. It matters for a
// float that the integer type does not hold, and for which Go promises nothing.
func truncation(t types.Type) (op code.Op, short bool) {
	switch t.Underlying().(*types.Basic).Kind() {
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16:
		return code.FtoI, true
	case types.Uint, types.Uint64, types.Uintptr:
		return code.FtoU, false
	default: // also Uint32
		return code.FtoI, false
	}
}

// assertTo computes x.(T); ok is the word that reports whether it holds, -1 to panic.
func (f *fn) assertTo(e *ast.TypeAssertExpr, dst place, ok int) {
	t := f.info.Types[e.Type].Type
	x := f.expr(e.X)
	f.at(e.Pos())
	f.unbox(x, f.typeOf(e.X), t, dst, ok)
}

// unbox extracts the value of type t from an interface.
func (f *fn) unbox(x place, from, t types.Type, dst place, ok int) {
	op := code.Unbox
	if isInterface(t) {
		op = code.Assert
	}
	f.emit(op, 0, 0, 0, f.aux(code.Aux{T: f.c.typeOf(t), U: f.c.typeOf(from), I: [8]int32{int32(dst.n), int32(dst.r), int32(ok), int32(x.n), int32(x.r)}}))
}
