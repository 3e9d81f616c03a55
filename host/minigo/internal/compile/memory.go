package compile

import (
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// mem is a place in an object: at a constant offset, and if idx is a register, that many
// strides behind it.
type mem struct {
	obj    int // the register of the object
	idx    int // -1: none
	stride layout
	off    layout
	l      layout // of the value there
	what   string // its name, for Watch
}

// operand is a value in an object or in registers.
type operand struct {
	inMem bool
	m     mem
	p     place
}

// isMem reports whether the value of an expression is in an object.
func (f *fn) isMem(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := f.varOf(e)
		if v == nil {
			return false
		}
		x := f.lookup(v)
		return x.boxed || x.global
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch f.typeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return f.isMem(e.X)
		}
	case *ast.SelectorExpr:
		sel := f.info.Selections[e]
		if sel == nil {
			_, isVar := f.info.Uses[e.Sel].(*types.Var)
			return isVar
		}
		if sel.Kind() != types.FieldVal {
			return false
		}
		return sel.Indirect() || f.isMem(e.X)
	}
	return false
}

// operandOf computes an expression up to its place.
func (f *fn) operandOf(e ast.Expr) operand {
	if f.isMem(e) {
		return operand{inMem: true, m: f.address(e)}
	}
	return operand{p: f.expr(e)}
}

// address computes the place of an expression's value; a value without a place is stored in a new
// object.
func (f *fn) address(e ast.Expr) mem {
	e = ast.Unparen(e)
	l := f.c.layout(f.typeOf(e))
	if f.isMem(e) {
		switch e := e.(type) {
		case *ast.Ident:
			return mem{obj: f.object(f.lookup(f.varOf(e))), idx: -1, l: l, what: e.Name}
		case *ast.StarExpr:
			return mem{obj: f.expr(e.X).r, idx: -1, l: l, what: f.text(e)}
		case *ast.IndexExpr:
			return f.element(e)
		case *ast.SelectorExpr:
			if sel := f.info.Selections[e]; sel != nil {
				o, _ := f.walk(f.operandOf(e.X), f.typeOf(e.X), sel.Index())
				o.m.what = f.text(e)
				return o.m
			}
			return mem{obj: f.object(f.lookup(f.info.Uses[e.Sel].(*types.Var))), idx: -1, l: l, what: e.Sel.Name}
		}
	}
	src := f.expr(e)
	obj := f.ref()
	f.newObject(obj, l)
	f.storeAt(obj, layout{}, src, l)
	return mem{obj: obj, idx: -1, l: l}
}

// walk goes from a value to one of its fields, through embedded structs and pointers.
func (f *fn) walk(o operand, t types.Type, index []int) (operand, types.Type) {
	for _, i := range index {
		if elem, ok := deref(t); ok {
			o, t = operand{inMem: true, m: mem{obj: f.pointerOf(o), idx: -1}}, elem
		}
		s := t.Underlying().(*types.Struct)
		off := f.c.fieldAt(s, i)
		t = s.Field(i).Type()
		if o.inMem {
			o.m.off, o.m.l = o.m.off.plus(off), f.c.layout(t)
		} else {
			o.p = o.p.plus(off)
		}
	}
	return o, t
}

// pointerOf gives the register of an operand that is a pointer.
func (f *fn) pointerOf(o operand) int {
	if !o.inMem {
		return o.p.r
	}
	r := f.ref()
	f.loadMem(o.m, place{r: r})
	return r
}

// load loads an operand into registers.
func (f *fn) load(o operand, t types.Type, dst place) {
	if o.inMem {
		o.m.l = f.c.layout(t)
		f.loadMem(o.m, dst)
		return
	}
	f.move(dst, o.p, f.c.layout(t))
}

// element is the place of an element of a slice or an array.
func (f *fn) element(e *ast.IndexExpr) mem {
	l := f.c.layout(f.typeOf(e))
	if isSlice(f.typeOf(e.X)) {
		s := f.expr(e.X)
		idx := f.expr(e.Index).n
		off := f.word()
		f.at(e.Pos())
		f.emit(code.IdxOff, off, s.n, idx, 0)
		return mem{obj: s.r, idx: off, stride: l, l: l, what: f.text(e)}
	}
	t := f.typeOf(e.X)
	var base mem
	if elem, ok := deref(t); ok {
		t, base = elem, mem{obj: f.expr(e.X).r, idx: -1}
	} else {
		base = f.address(e.X)
	}
	at := f.arrayElement(base, t.Underlying().(*types.Array), e.Index, l)
	at.what = f.text(e)
	return at
}

func (f *fn) arrayElement(base mem, a *types.Array, index ast.Expr, l layout) mem {
	if k, ok := f.intValue(index); ok && base.idx < 0 {
		base.off = base.off.plus(layout{int(k) * l.n, int(k) * l.r})
		base.l = l
		return base
	}
	off := f.word()
	f.emit(code.ArrOff, off, f.expr(index).n, 0, int32(a.Len()))
	if base.idx < 0 {
		return mem{obj: base.obj, idx: off, stride: l, off: base.off, l: l}
	}
	if whole := (layout{l.n * int(a.Len()), l.r * int(a.Len())}); base.stride == whole {
		sum := f.word()
		f.emit(code.MulK, sum, base.idx, 0, int32(a.Len()))
		f.emit(code.Add, sum, sum, off, 0)
		return mem{obj: base.obj, idx: sum, stride: l, off: base.off, l: l}
	}
	return mem{obj: f.view(base), idx: off, stride: l, l: l}
}

// view makes an object of the part of one that the place means.
func (f *fn) view(m mem) int {
	r := f.ref()
	f.viewTo(m, r)
	return r
}

func (f *fn) viewTo(m mem, r int) {
	if m.idx < 0 {
		if m.off == (layout{}) {
			f.emit(code.SetP0, m.obj, 0, 0, 0)
			f.emit(code.MovR, r, m.obj, 0, 0)
			return
		}
		f.emit(code.View, r, m.obj, 0, f.aux(code.Aux{I: [8]int32{int32(m.off.n), int32(m.off.r), int32(m.l.n), int32(m.l.r)}}))
		return
	}
	f.emit(code.ViewE, r, m.obj, m.idx, f.aux(code.Aux{I: [8]int32{int32(m.off.n), int32(m.off.r), int32(m.l.n), int32(m.l.r), int32(m.stride.n), int32(m.stride.r)}}))
}

// addressTo computes &e.
func (f *fn) addressTo(e ast.Expr, dst place) {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.CompositeLit); ok {
		f.emit(code.MovR, dst.r, f.newLiteral(lit, f.typeOf(lit)), 0, 0)
		return
	}
	f.viewTo(f.address(e), dst.r)
}

// accessElement loads or stores an element: one is the operation for a single word or reference,
// any the one for all layouts.
func (f *fn) accessElement(m mem, p place, one, any code.Op) {
	stride, off := place(m.stride).only(m.l), place(m.off).only(m.l)
	if m.l.single() && stride < 1<<15 && off < 1<<16 {
		f.emit(one, p.only(m.l), m.idx, m.obj, int32(stride<<16|off))
		return
	}
	x := span(p, m.off, m.l)
	x[6], x[7] = int32(m.stride.n), int32(m.stride.r)
	f.emit(any, 0, m.idx, m.obj, f.aux(code.Aux{I: x}))
}

func (f *fn) loadMem(m mem, dst place) {
	f.what = m.what
	if m.idx < 0 {
		f.loadAt(dst, m.obj, m.off, m.l)
		return
	}
	f.accessElement(m, dst, choose(m.l.n == 1, code.ElemN, code.ElemR), code.LoadE)
}

func (f *fn) storeMem(m mem, src place) {
	f.what = m.what
	if m.idx < 0 {
		f.storeAt(m.obj, m.off, src, m.l)
		return
	}
	f.accessElement(m, src, choose(m.l.n == 1, code.SElemN, code.SElemR), code.StoreE)
}

// selectorTo computes x.f: a field, a method value, or something of a package.
func (f *fn) selectorTo(e *ast.SelectorExpr, dst place) {
	sel := f.info.Selections[e]
	if sel == nil {
		f.identTo(e.Sel, dst)
		return
	}
	switch sel.Kind() {
	case types.FieldVal:
		o, t := f.walk(f.operandOf(e.X), f.typeOf(e.X), sel.Index())
		o.m.what = f.text(e)
		f.load(o, t, dst)
	case types.MethodVal:
		f.methodValueTo(e, sel, dst)
	case types.MethodExpr:
		f.emit(code.Closure, dst.r, 0, 0, f.aux(code.Aux{F: f.c.prog.Funcs[f.c.methodExpr(sel)]}))
	}
}

func (f *fn) indexTo(e *ast.IndexExpr, dst place) {
	t := f.typeOf(e.X)
	switch u := t.Underlying().(type) {
	case *types.Map:
		f.mapGet(e, u, dst, -1)
	case *types.Slice:
		l := f.c.layout(u.Elem())
		if !l.single() {
			f.loadMem(f.element(e), dst)
			return
		}
		s := f.expr(e.X)
		idx := f.expr(e.Index).n
		f.at(e.Pos())
		f.what = f.text(e)
		f.emit(choose(l.n == 1, code.IdxN, code.IdxR), dst.only(l), s.n, s.r, int32(idx))
	case *types.Basic:
		s := f.expr(e.X)
		f.emit(code.IdxStr, dst.n, s.r, f.expr(e.Index).n, 0)
	case *types.Signature:
		f.unknown(e)
	default:
		f.loadMem(f.element(e), dst)
	}
}

func (f *fn) mapGet(e *ast.IndexExpr, u *types.Map, dst place, ok int) {
	m := f.expr(e.X).r
	key := f.valueAs(e.Index, u.Key())
	f.at(e.Pos())
	f.what = f.text(e.X)
	f.emit(code.MapGet, 0, 0, 0, f.aux(code.Aux{T: f.c.typeOf(u), I: [8]int32{int32(dst.n), int32(dst.r), int32(ok), int32(m), int32(key.n), int32(key.r)}}))
}

// sliceTo computes x[lo:hi:max].
func (f *fn) sliceTo(e *ast.SliceExpr, dst place) {
	t := f.typeOf(e.X)
	if isString(t) {
		s := f.expr(e.X)
		x := code.Aux{I: [8]int32{f.bound(e.Low), f.bound(e.High)}}
		f.emit(code.SliceStr, dst.r, s.r, 0, f.aux(x))
		return
	}
	if isSlice(t) {
		s := f.expr(e.X)
		x := code.Aux{I: [8]int32{int32(dst.n), int32(dst.r), int32(s.n), int32(s.r), f.bound(e.Low), f.bound(e.High), f.bound(e.Max)}}
		f.emit(code.SliceOf, 0, 0, 0, f.aux(x))
		return
	}
	var obj int
	if elem, ok := deref(t); ok {
		t, obj = elem, f.expr(e.X).r
	} else {
		obj = f.view(f.address(e.X))
	}
	n := t.Underlying().(*types.Array).Len()
	x := code.Aux{I: [8]int32{int32(dst.n), int32(dst.r), int32(obj), f.bound(e.Low), f.bound(e.High), f.bound(e.Max), int32(n)}}
	f.emit(code.SliceArr, 0, 0, 0, f.aux(x))
}

// bound is the register of a slice bound, -1 if it is omitted.
func (f *fn) bound(e ast.Expr) int32 {
	if e == nil {
		return -1
	}
	return int32(f.expr(e).n)
}
