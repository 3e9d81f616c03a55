package compile

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// expr computes an expression and returns the place of its value: its variable's own registers,
// or new ones. The value is valid until the variable is assigned to.
func (f *fn) expr(e ast.Expr) place {
	e = ast.Unparen(e)
	if x, ok := f.inRegisters(e); ok {
		return x
	}
	if x, ok := f.hoisted(e); ok {
		return x
	}
	if call, ok := e.(*ast.CallExpr); ok && f.info.Types[e].Value == nil && f.isCall(call) {
		f.at(e.Pos())
		return f.call(call)
	}
	dst := f.temp(f.typeOf(e))
	f.exprTo(e, dst)
	return dst
}

// isCall reports whether an expression calls a function; a conversion or a builtin does not.
func (f *fn) isCall(e *ast.CallExpr) bool {
	tv := f.info.Types[ast.Unparen(e.Fun)]
	return !tv.IsType() && !tv.IsBuiltin()
}

// inRegisters is the place of an expression that is already in registers: a local variable, or a
// part of one. No call in the same expression can change it, because a variable that a closure
// uses is in an object.
func (f *fn) inRegisters(e ast.Expr) (place, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := f.varOf(e)
		if v == nil || e.Name == "_" {
			return place{}, false
		}
		x := f.lookup(v)
		return x.place, !x.boxed && !x.global
	case *ast.SelectorExpr:
		sel := f.info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal || sel.Indirect() {
			return place{}, false
		}
		if _, ptr := deref(f.typeOf(e.X)); ptr {
			return place{}, false
		}
		x, ok := f.inRegisters(e.X)
		if !ok {
			return place{}, false
		}
		return x.plus(f.fieldOffset(f.typeOf(e.X), sel.Index())), true
	case *ast.CallExpr:
		return f.sizeInRegisters(e)
	}
	return place{}, false
}

// sizeInRegisters is where len or cap of a local slice is.
func (f *fn) sizeInRegisters(e *ast.CallExpr) (place, bool) {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok || !f.info.Types[e.Fun].IsBuiltin() || id.Name != "len" && id.Name != "cap" || !isSlice(f.typeOf(e.Args[0])) {
		return place{}, false
	}
	s, ok := f.inRegisters(e.Args[0])
	if id.Name == "cap" {
		s.n++
	}
	return place{n: s.n + 1}, ok
}

// fieldOffset is where a field reached through embedded structs, and no pointer, is.
func (f *fn) fieldOffset(t types.Type, index []int) layout {
	var off layout
	for _, i := range index {
		s := t.Underlying().(*types.Struct)
		off = off.plus(f.c.fieldAt(s, i))
		t = s.Field(i).Type()
	}
	return off
}

// exprTo computes an expression into registers.
func (f *fn) exprTo(e ast.Expr, dst place) {
	e = ast.Unparen(e)
	f.at(e.Pos())
	tv := f.info.Types[e]
	if tv.Value != nil {
		f.constTo(tv.Value, tv.Type, dst)
		return
	}
	mark := f.top
	switch e := e.(type) {
	case *ast.Ident:
		f.identTo(e, dst)
	case *ast.SelectorExpr:
		f.selectorTo(e, dst)
	case *ast.BinaryExpr:
		f.binaryTo(e, dst)
	case *ast.UnaryExpr:
		f.unaryTo(e, dst)
	case *ast.StarExpr:
		f.loadMem(f.address(e), dst)
	case *ast.IndexExpr:
		f.indexTo(e, dst)
	case *ast.SliceExpr:
		f.sliceTo(e, dst)
	case *ast.CallExpr:
		f.callTo(e, dst)
	case *ast.CompositeLit:
		f.literalTo(e, dst)
	case *ast.FuncLit:
		f.closureTo(e, dst)
	case *ast.TypeAssertExpr:
		f.assertTo(e, dst, -1)
	default:
		f.unknown(e)
	}
	f.top = mark
}

func (f *fn) identTo(e *ast.Ident, dst place) {
	switch obj := f.info.ObjectOf(e).(type) {
	case *types.Var:
		f.loadVar(f.lookup(obj), obj.Type(), dst)
	case *types.Func:
		f.funcTo(obj, dst)
	case *types.Nil:
		f.zero(dst, f.c.layout(f.typeOf(e)))
	default:
		f.unknown(e)
	}
}

// constTo loads a constant, in the form of its type.
func (f *fn) constTo(v constant.Value, t types.Type, dst place) {
	switch {
	case isString(t):
		f.emit(code.LoadS, dst.r, 0, 0, f.c.str(constant.StringVal(v)))
	case isFloat(t):
		f.loadWord(dst.n, math.Float64bits(floatConst(v, t)))
	case v.Kind() == constant.Bool:
		f.emit(code.LoadI, dst.n, 0, 0, int32(b2i(constant.BoolVal(v))))
	case isInterface(t):
		panic(fmt.Sprintf("constant %v as the interface %v", v, t))
	default:
		f.loadInt(dst.n, intConst(v))
	}
}

func floatConst(v constant.Value, t types.Type) float64 {
	x, _ := constant.Float64Val(constant.ToFloat(v))
	if is32(t) {
		x32, _ := constant.Float32Val(constant.ToFloat(v))
		x = float64(x32)
	}
	return x
}

func intConst(v constant.Value) int64 {
	v = constant.ToInt(v)
	if i, exact := constant.Int64Val(v); exact {
		return i
	}
	u, _ := constant.Uint64Val(v)
	return int64(u)
}

// intValue is the value of an integer constant expression.
func (f *fn) intValue(e ast.Expr) (int64, bool) {
	tv := f.info.Types[e]
	if tv.Value == nil || !isInteger(tv.Type) {
		return 0, false
	}
	return intConst(tv.Value), true
}

// exprAs computes an expression as a value of type t, which it is assignable to.
func (f *fn) exprAs(e ast.Expr, t types.Type, dst place) {
	from := f.typeOf(e)
	switch {
	case f.info.Types[e].IsNil():
		f.zero(dst, f.c.layout(t))
	case isInterface(t) && !isInterface(from):
		f.box(e, t, dst)
	default:
		f.exprTo(e, dst)
	}
}

// valueAs is exprAs into registers of its own, or where the value is already.
func (f *fn) valueAs(e ast.Expr, t types.Type) place {
	if !f.info.Types[e].IsNil() && (!isInterface(t) || isInterface(f.typeOf(e))) {
		return f.expr(e)
	}
	return f.own(e, t)
}

// own computes a value of type t into new registers.
func (f *fn) own(e ast.Expr, t types.Type) place {
	dst := f.temp(t)
	f.exprAs(e, t, dst)
	return dst
}

func (f *fn) ownAll(list []ast.Expr, t types.Type) []place {
	values := make([]place, len(list))
	for i, e := range list {
		values[i] = f.own(e, t)
	}
	return values
}

// convertPlace turns a value that is in registers into one of type t, to which it is
// assignable.
func (f *fn) convertPlace(src place, from, t types.Type) place {
	if !isInterface(t) || isInterface(from) {
		return src
	}
	dst := f.temp(t)
	f.boxPlace(src, from, dst)
	return dst
}

// box makes an interface of an expression.
func (f *fn) box(e ast.Expr, t types.Type, dst place) {
	from := f.typeOf(e)
	f.boxPlace(f.expr(e), types.Default(from), dst)
}

func (f *fn) boxPlace(src place, from types.Type, dst place) {
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		f.zero(dst, layout{2, 1})
		return
	}
	rt := f.c.typeOf(from)
	f.emit(code.Box, dst.n, dst.r, 0, f.aux(code.Aux{T: rt, I: [8]int32{int32(src.n), int32(src.r)}}))
}
