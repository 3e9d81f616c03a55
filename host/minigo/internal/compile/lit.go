package compile

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// literalTo computes a composite literal into registers.
func (f *fn) literalTo(e *ast.CompositeLit, dst place) {
	t := f.typeOf(e)
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array:
		l := f.c.layout(t)
		if f.c.inMemory(t) {
			f.loadAt(dst, f.newLiteral(e, t), layout{}, l)
			return
		}
		tmp := f.temp(t)
		f.zero(tmp, l)
		f.literalInto(e, t, operand{p: tmp})
		f.move(dst, tmp, l)
	case *types.Slice:
		f.sliceLit(e, u, dst)
	case *types.Map:
		f.mapLit(e, t, u, dst)
	case *types.Pointer: // &T omitted in a nested literal
		f.emit(code.MovR, dst.r, f.newLiteral(e, u.Elem()), 0, 0)
	default:
		f.unknown(e)
	}
}

// newLiteral gives a register with a new object that holds a literal.
func (f *fn) newLiteral(e *ast.CompositeLit, t types.Type) int {
	l := f.c.layout(t)
	obj := f.ref()
	f.newObject(obj, l)
	f.literalInto(e, t, operand{inMem: true, m: mem{obj: obj, idx: -1, l: l}})
	return obj
}

// literalInto sets the parts of a zero struct or array that a literal names.
func (f *fn) literalInto(e *ast.CompositeLit, t types.Type, o operand) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, x := range e.Elts {
			field := i
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				field, x = fieldIndex(u, kv.Key.(*ast.Ident).Name), kv.Value
			}
			f.setPart(x, u.Field(field).Type(), o, f.c.fieldAt(u, field))
		}
	case *types.Array:
		l := f.c.layout(u.Elem())
		f.elements(e, func(i int, x ast.Expr) {
			f.setPart(x, u.Elem(), o, layout{i * l.n, i * l.r})
		})
	case *types.Pointer:
		panic("minigo: a pointer has no parts")
	default:
		mark := f.top
		src := f.temp(t)
		f.literalTo(e, src)
		f.store(f.partOf(o, t, layout{}), src)
		f.top = mark
	}
}

func fieldIndex(s *types.Struct, name string) int {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return i
		}
	}
	panic("minigo: no field " + name)
}

// elements visits the elements of an array or slice literal with their indexes.
func (f *fn) elements(e *ast.CompositeLit, visit func(i int, x ast.Expr)) {
	i := 0
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			k, _ := f.intValue(kv.Key)
			i, x = int(k), kv.Value
		}
		visit(i, x)
		i++
	}
}

func (f *fn) partOf(o operand, t types.Type, off layout) target {
	l := f.c.layout(t)
	if !o.inMem {
		return target{t: t, reg: true, p: o.p.plus(off)}
	}
	m := o.m
	m.off, m.l = m.off.plus(off), l
	return target{t: t, m: m}
}

// setPart computes one part of a literal; a literal in a literal is built in place.
func (f *fn) setPart(x ast.Expr, t types.Type, o operand, off layout) {
	mark := f.top
	defer func() { f.top = mark }()
	if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok && isAggregate(t) {
		o.m.off, o.p = o.m.off.plus(off), o.p.plus(off)
		f.literalInto(lit, t, o)
		return
	}
	part := f.partOf(o, t, off)
	if part.reg {
		f.exprAs(x, t, part.p)
		return
	}
	f.store(part, f.valueAs(x, t))
}

func (f *fn) sliceLit(e *ast.CompositeLit, u *types.Slice, dst place) {
	l := f.c.layout(u.Elem())
	length := 0
	f.elements(e, func(i int, _ ast.Expr) { length = max(length, i+1) })
	tmp := f.reserve(layout{3, 1})
	n := f.word()
	f.loadInt(n, int64(length))
	f.makeSlice(tmp, n, n, l)
	o := operand{inMem: true, m: mem{obj: tmp.r, idx: -1}}
	f.elements(e, func(i int, x ast.Expr) {
		f.setPart(x, u.Elem(), o, layout{i * l.n, i * l.r})
	})
	f.move(dst, tmp, layout{3, 1})
}

func (f *fn) mapLit(e *ast.CompositeLit, t types.Type, u *types.Map, dst place) {
	m := f.ref()
	rt := f.c.typeOf(t)
	f.emit(code.MakeMap, m, 0, 0, f.aux(code.Aux{T: rt}))
	for _, x := range e.Elts {
		kv := x.(*ast.KeyValueExpr)
		mark := f.top
		key, val := f.temp(u.Key()), f.temp(u.Elem())
		f.exprAs(kv.Key, u.Key(), key)
		f.exprAs(kv.Value, u.Elem(), val)
		f.emit(code.MapSet, 0, 0, 0, f.aux(code.Aux{T: rt, I: [8]int32{int32(val.n), int32(val.r), 0, int32(m), int32(key.n), int32(key.r)}}))
		f.top = mark
	}
	f.emit(code.MovR, dst.r, m, 0, 0)
}

// closureTo compiles a function literal and makes a closure of it.
func (f *fn) closureTo(e *ast.FuncLit, dst place) {
	g, uses := f.literal(e)
	x := code.Aux{F: g.out}
	for _, v := range uses {
		x.List = append(x.List, code.Slot{R: int32(f.object(f.lookup(v)))})
	}
	f.emit(code.Closure, dst.r, 0, 0, f.aux(x))
}

// literal compiles the body of a function literal, which finds captured variables in its closure.
func (f *fn) literal(e *ast.FuncLit) (g *fn, uses []*types.Var) {
	root := f
	for root.parent != nil {
		root = root.parent
	}
	root.lits++
	g = f.c.newFn(fmt.Sprintf("%s.func%d", root.out.Name, root.lits), f.typeOf(e).Underlying().(*types.Signature))
	g.info, g.pkg, g.parent, g.boxed, g.esc = f.info, f.pkg, f, f.boxed, f.esc
	g.out.File = f.out.File
	g.at(e.Pos())
	uses = f.esc.uses[e]
	g.out.Clo = g.ref()
	for i, v := range uses {
		reg := g.ref()
		g.emit(code.Capt, reg, g.out.Clo, 0, int32(i))
		g.vars[v] = variable{place: place{r: reg}, boxed: true}
		g.visible(v)
	}
	g.body(e.Type, nil, e.Body)
	return g, uses
}
