package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

func (f *fn) builtinTo(e *ast.CallExpr, name string, dst place) {
	if len(e.Args) == 1 {
		if _, several := f.typeOf(e.Args[0]).(*types.Tuple); several {
			e = f.spreadBuiltin(e)
		}
	}
	switch name {
	case "len", "cap":
		f.lenTo(e.Args[0], name == "cap", dst)
	case "append":
		f.appendTo(e, dst)
	case "copy":
		f.copyTo(e, dst)
	case "delete":
		m := f.expr(e.Args[0])
		t := f.typeOf(e.Args[0]).Underlying().(*types.Map)
		key := f.valueAs(e.Args[1], t.Key())
		f.what = f.text(e.Args[0])
		f.emit(code.MapDel, 0, 0, 0, f.aux(code.Aux{T: f.c.typeOf(t), I: [8]int32{0, 0, 0, int32(m.r), int32(key.n), int32(key.r)}}))
	case "clear":
		x := f.expr(e.Args[0])
		f.what = f.text(e.Args[0])
		if s, ok := f.typeOf(e.Args[0]).Underlying().(*types.Slice); ok {
			f.emit(code.ClearS, x.n, x.r, 0, f.aux(code.Aux{T: f.c.typeOf(s.Elem())}))
		} else {
			f.emit(code.MapClr, x.r, 0, 0, 0)
		}
	case "close":
		ch := f.expr(e.Args[0]).r
		f.ownPoint()
		f.what = f.text(e.Args[0])
		f.emit(code.Close, ch, 0, 0, 0)
	case "make":
		f.makeTo(e, dst)
	case "new":
		f.newTo(e.Args[0], dst)
	case "min", "max":
		f.minMaxTo(e, name, dst)
	case "panic":
		x := f.own(e.Args[0], types.NewInterfaceType(nil, nil))
		f.emit(code.Panic, x.n, x.r, 0, 0)
	case "recover":
		f.emit(code.Recover, dst.n, dst.r, 0, 0)
	case "print", "println":
		f.print(e, name == "println")
	default:
		f.unknown(e)
	}
}

// discardBuiltin calls a builtin and discards the result.
func (f *fn) discardBuiltin(e *ast.CallExpr, name string) {
	var dst place
	if t := f.typeOf(e); t != nil {
		if _, none := t.(*types.Tuple); !none {
			dst = f.temp(t)
		}
	}
	f.builtinTo(e, name, dst)
}

func (f *fn) lenTo(x ast.Expr, capacity bool, dst place) {
	t := f.typeOf(x)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		f.emit(code.LenStr, dst.n, f.expr(x).r, 0, 0)
	case *types.Slice:
		p := f.expr(x)
		f.emit(code.MovN, dst.n, p.n+1+b2i(capacity), 0, 0)
	case *types.Map:
		m := f.expr(x).r
		f.what = f.text(x)
		f.emit(code.MapLen, dst.n, m, 0, 0)
	case *types.Chan:
		f.emit(choose(capacity, code.CapChan, code.LenChan), dst.n, f.expr(x).r, 0, 0)
	case *types.Array:
		f.effects(x)
		f.loadInt(dst.n, u.Len())
	case *types.Pointer:
		f.effects(x)
		f.loadInt(dst.n, u.Elem().Underlying().(*types.Array).Len())
	}
}

// effects evaluates an array, or a pointer to one, of which only the length is used: only if that
// calls or receives something.
func (f *fn) effects(x ast.Expr) {
	switch {
	case !hasEffects(x):
	case isPointer(f.typeOf(x)):
		f.expr(x)
	default:
		f.view(f.address(x))
	}
}

func hasEffects(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// appendTo appends one element after the other, or a whole slice.
func (f *fn) appendTo(e *ast.CallExpr, dst place) {
	s, ok := f.typeOf(e).Underlying().(*types.Slice)
	if !ok {
		f.unknown(e)
	}
	rt := f.c.typeOf(s.Elem())
	from := f.temp(f.typeOf(e))
	if len(e.Args) == 1 {
		f.exprAs(e.Args[0], f.typeOf(e), dst)
		return
	}
	if e.Ellipsis.IsValid() {
		f.exprAs(e.Args[0], f.typeOf(e), from)
		op := choose(isString(f.typeOf(e.Args[1])), code.AppendStr, code.AppendS)
		f.emitAppend(op, dst, from, f.expr(e.Args[1]), rt)
		return
	}
	if p, inReg := f.inRegisters(e.Args[0]); inReg && len(e.Args) == 2 {
		f.emitAppend(code.Append, dst, p, f.valueAs(e.Args[1], s.Elem()), rt)
		return
	}
	f.exprAs(e.Args[0], f.typeOf(e), from)
	for _, v := range f.ownAll(e.Args[1:], s.Elem()) {
		f.emitAppend(code.Append, from, from, v, rt)
	}
	f.move(dst, from, layout{3, 1})
}

func (f *fn) emitAppend(op code.Op, dst, src, x place, elem *code.Type) {
	f.emit(op, 0, 0, 0, f.aux(code.Aux{T: elem, I: [8]int32{int32(dst.n), int32(dst.r), int32(src.n), int32(src.r), int32(x.n), int32(x.r)}}))
}

func (f *fn) copyTo(e *ast.CallExpr, dst place) {
	d := f.expr(e.Args[0])
	s := f.expr(e.Args[1])
	x := code.Aux{I: [8]int32{int32(dst.n), int32(d.n), int32(d.r), int32(s.n), int32(s.r)}}
	if isString(f.typeOf(e.Args[1])) {
		f.emit(code.CopyStr, 0, 0, 0, f.aux(x))
		return
	}
	x.T = f.c.typeOf(f.typeOf(e.Args[0]).Underlying().(*types.Slice).Elem())
	f.emit(code.Copy, 0, 0, 0, f.aux(x))
}

func (f *fn) makeTo(e *ast.CallExpr, dst place) {
	t := f.typeOf(e)
	size := func(i int) int {
		if len(e.Args) > i {
			return f.intWord(e.Args[i])
		}
		w := f.word()
		f.emit(code.LoadI, w, 0, 0, 0)
		return w
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		n := size(1)
		c := n
		if len(e.Args) > 2 {
			c = size(2)
		}
		f.makeSlice(dst, n, c, f.c.layout(u.Elem()))
	case *types.Map:
		if len(e.Args) > 1 {
			size(1)
		}
		f.emit(code.MakeMap, dst.r, 0, 0, f.aux(code.Aux{T: f.c.typeOf(t)}))
	case *types.Chan:
		f.emit(code.MakeChan, dst.r, size(1), 0, f.aux(code.Aux{T: f.c.typeOf(u.Elem())}))
	default:
		f.unknown(e)
	}
}

// intWord computes a size as an integer, even if it is written as a float constant.
func (f *fn) intWord(e ast.Expr) int {
	if tv := f.info.Types[e]; tv.Value != nil {
		w := f.word()
		f.loadInt(w, intConst(tv.Value))
		return w
	}
	return f.expr(e).n
}

func (f *fn) minMaxTo(e *ast.CallExpr, name string, dst place) {
	t := f.typeOf(e)
	best := f.temp(t)
	f.exprTo(e.Args[0], best)
	for _, a := range e.Args[1:] {
		next := f.expr(a)
		if isFloat(t) {
			f.emit(code.MinMaxF, best.n, best.n, next.n, int32(b2i(name == "max")))
			continue
		}
		less, x, y := f.word(), next, best
		if name == "max" {
			x, y = y, x
		}
		f.comparePlaces(token.LSS, t, x, y, less)
		skip := f.emit(code.JF, less, 0, 0, 0)
		f.move(best, next, f.c.layout(t))
		f.land(skip)
	}
	f.move(dst, best, f.c.layout(t))
}

// newTo is new of a type, or of a value.
func (f *fn) newTo(x ast.Expr, dst place) {
	t := types.Default(f.typeOf(x))
	l := f.c.layout(t)
	obj := f.ref()
	if !f.info.Types[x].IsType() {
		v := f.expr(x)
		f.newObject(obj, l)
		f.storeAt(obj, layout{}, v, l)
	} else {
		f.newObject(obj, l)
	}
	f.emit(code.MovR, dst.r, obj, 0, 0)
}

func (f *fn) print(e *ast.CallExpr, line bool) {
	x := code.Aux{I: [8]int32{int32(b2i(line))}}
	for _, a := range e.Args {
		t := types.Default(f.typeOf(a))
		p := f.own(a, t)
		x.List = append(x.List, code.Slot{N: int32(p.n), R: int32(p.r), T: f.c.typeOf(t)})
	}
	f.emit(code.Print, 0, 0, 0, f.aux(x))
}
