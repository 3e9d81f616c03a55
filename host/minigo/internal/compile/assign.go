package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// target is the destination of an assignment, with its operands computed.
type target struct {
	t     types.Type
	blank bool
	reg   bool // p is the destination itself
	p     place
	v     *variable // a scalar global
	m     mem
	isMap bool
	mapR  int
	mapT  types.Type
	slice *place // m.idx is the index into it; the store itself checks it
	what  string // the name of the element or of the map, for Watch
}

func (f *fn) target(e ast.Expr) target {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return target{blank: true}
	}
	t := f.typeOf(e)
	if p, ok := f.inRegisters(e); ok {
		return target{t: t, reg: true, p: p}
	}
	switch x := e.(type) {
	case *ast.Ident:
		if v := f.lookup(f.varOf(x)); v.global && f.c.layout(t).single() {
			return target{t: t, v: &v}
		}
	case *ast.IndexExpr:
		u := f.typeOf(x.X).Underlying()
		if m, ok := u.(*types.Map); ok {
			return target{t: t, isMap: true, mapT: m, mapR: f.expr(x.X).r, p: f.own(x.Index, m.Key()), what: f.text(x.X)}
		}
		if isSlice(u) && f.c.layout(t).single() {
			s := f.expr(x.X)
			return target{t: t, slice: &s, m: mem{idx: f.expr(x.Index).n}, what: f.text(x)}
		}
	}
	return target{t: t, m: f.address(e)}
}

// store stores a value of the target's type.
func (f *fn) store(x target, src place) {
	l := layout{}
	if !x.blank {
		l = f.c.layout(x.t)
	}
	f.what = x.what
	switch {
	case x.blank:
	case x.reg:
		f.move(x.p, src, l)
	case x.v != nil:
		f.storeVar(*x.v, x.t, src)
	case x.isMap:
		f.emit(code.MapSet, 0, 0, 0, f.aux(code.Aux{T: f.c.typeOf(x.mapT), I: [8]int32{int32(src.n), int32(src.r), 0, int32(x.mapR), int32(x.p.n), int32(x.p.r)}}))
	case x.slice != nil:
		f.emit(choose(l.n == 1, code.SetN, code.SetR), src.only(l), x.slice.n, x.slice.r, int32(x.m.idx))
	default:
		x.m.l = l
		f.storeMem(x.m, src)
	}
}

// fetch loads the current value of a target, for x op= y.
func (f *fn) fetch(x target, e ast.Expr, dst place) {
	l := f.c.layout(x.t)
	f.what = x.what
	switch {
	case x.reg:
		f.move(dst, x.p, l)
	case x.v != nil:
		f.loadVar(*x.v, x.t, dst)
	case x.isMap:
		f.emit(code.MapGet, 0, 0, 0, f.aux(code.Aux{T: f.c.typeOf(x.mapT), I: [8]int32{int32(dst.n), int32(dst.r), -1, int32(x.mapR), int32(x.p.n), int32(x.p.r)}}))
	case x.slice != nil:
		f.emit(choose(l.n == 1, code.IdxN, code.IdxR), dst.only(l), x.slice.n, x.slice.r, int32(x.m.idx))
	default:
		x.m.l = l
		f.loadMem(x.m, dst)
	}
}

func (f *fn) assign(s *ast.AssignStmt) {
	mark := f.top
	switch {
	case s.Tok == token.DEFINE:
		f.defineStmt(s)
		return // the variables stay
	case s.Tok != token.ASSIGN:
		f.assignOp(s.Lhs[0], s.Tok, s.Rhs[0])
	case len(s.Lhs) == 1:
		f.assignOne(s.Lhs[0], s.Rhs[0])
	case len(s.Rhs) == 1:
		f.assignTuple(s.Lhs, s.Rhs[0])
	default:
		f.assignMany(s.Lhs, s.Rhs)
	}
	f.top = mark
}

func (f *fn) assignOne(lhs, rhs ast.Expr) {
	if id, ok := ast.Unparen(lhs).(*ast.Ident); ok && id.Name == "_" {
		f.valueAs(rhs, types.Default(f.typeOf(rhs)))
		return
	}
	x := f.target(lhs)
	if x.reg && f.writesLast(rhs, x.t) {
		f.exprAs(rhs, x.t, x.p)
		return
	}
	f.store(x, f.valueAs(rhs, x.t))
}

// writesLast reports whether an expression reads all its operands before it writes its result, so
// that the result may be computed into one of its operands.
func (f *fn) writesLast(e ast.Expr, t types.Type) bool {
	if f.info.Types[e].IsNil() || isInterface(t) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr, *ast.SliceExpr:
		return true
	case *ast.CompositeLit, *ast.FuncLit, *ast.TypeAssertExpr:
		return false
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && f.c.layout(t).single()
	}
	return f.c.layout(t).single()
}

func (f *fn) assignMany(lhs, rhs []ast.Expr) {
	targets := make([]target, len(lhs))
	for i, e := range lhs {
		targets[i] = f.target(e)
		f.keepSlice(&targets[i])
	}
	values := make([]place, len(rhs))
	for i, e := range rhs {
		t := targets[i].t
		if targets[i].blank {
			t = types.Default(f.typeOf(e))
		}
		values[i] = f.own(e, t)
	}
	for i := range targets {
		f.store(targets[i], values[i])
	}
}

// keepSlice copies the slice, the index and the object of a place before any assignment
// happens.
func (f *fn) keepSlice(x *target) {
	switch {
	case x.slice != nil:
		kept := f.reserve(layout{3, 1})
		f.move(kept, *x.slice, layout{3, 1})
		x.slice = &kept
		idx := f.word()
		f.emit(code.MovN, idx, x.m.idx, 0, 0)
		x.m.idx = idx
	case !x.blank && !x.reg && x.v == nil:
		kept := f.ref()
		if x.isMap {
			f.emit(code.MovR, kept, x.mapR, 0, 0)
			x.mapR = kept
		} else {
			f.emit(code.MovR, kept, x.m.obj, 0, 0)
			x.m.obj = kept
		}
	}
}

// assignTuple is a, b = f(), or one of the forms with ok.
func (f *fn) assignTuple(lhs []ast.Expr, rhs ast.Expr) {
	targets := make([]target, len(lhs))
	for i, e := range lhs {
		targets[i] = f.target(e)
		f.keepSlice(&targets[i])
	}
	values, ts := f.tuple(rhs)
	for i, x := range targets {
		if !x.blank {
			f.store(x, f.convertPlace(values[i], ts[i], x.t))
		}
	}
}

// tuple computes an expression of several values.
func (f *fn) tuple(e ast.Expr) (values []place, ts []types.Type) {
	tup := f.typeOf(e).(*types.Tuple)
	for v := range tup.Variables() {
		ts = append(ts, v.Type())
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		p := f.call(e)
		for _, t := range ts {
			values = append(values, p)
			p = p.plus(f.c.layout(t))
		}
		return values, ts
	case *ast.IndexExpr:
		dst, ok := f.temp(ts[0]), f.word()
		f.mapGet(e, f.typeOf(e.X).Underlying().(*types.Map), dst, ok)
		return []place{dst, {n: ok}}, ts
	case *ast.TypeAssertExpr:
		dst, ok := f.temp(ts[0]), f.word()
		f.assertTo(e, dst, ok)
		return []place{dst, {n: ok}}, ts
	case *ast.UnaryExpr:
		dst, ok := f.temp(ts[0]), f.word()
		f.recvTo(e, dst, ok)
		return []place{dst, {n: ok}}, ts
	}
	panic("minigo: no tuple")
}

// assignOp is x op= y.
func (f *fn) assignOp(lhs ast.Expr, tok token.Token, rhs ast.Expr) {
	op := tok + (token.ADD - token.ADD_ASSIGN)
	x := f.target(lhs)
	cur := x.p
	if !x.reg {
		cur = f.temp(x.t)
		f.fetch(x, lhs, cur)
	}
	switch {
	case op == token.SHL || op == token.SHR:
		f.shiftTo(op, cur.n, lhs, rhs, cur)
	case isString(x.t):
		f.emit(code.Concat, cur.r, cur.r, f.expr(rhs).r, 0)
	default:
		f.arith(op, cur.n, rhs, x.t, cur.n)
	}
	if cur != x.p || !x.reg {
		f.store(x, cur)
	}
}

// defineStmt is :=. What is already declared in this scope is assigned to.
func (f *fn) defineStmt(s *ast.AssignStmt) {
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		values, ts := f.tuple(s.Rhs[0])
		for i, e := range s.Lhs {
			f.defineOrStore(e.(*ast.Ident), values[i], ts[i])
		}
		return
	}
	if len(s.Lhs) == 1 {
		f.defineFrom(s.Lhs[0].(*ast.Ident), s.Rhs[0])
		return
	}
	if vars, ok := f.allNew(s.Lhs); ok {
		for i, v := range vars {
			f.initVar(v, s.Rhs[i])
		}
		return
	}
	values := make([]place, len(s.Rhs))
	for i, e := range s.Rhs {
		t := f.typeOf(s.Lhs[i])
		if t == nil {
			t = types.Default(f.typeOf(e))
		}
		values[i] = f.own(e, t)
	}
	for i, e := range s.Lhs {
		f.defineOrStore(e.(*ast.Ident), values[i], f.typeOf(e))
	}
}

// allNew are the variables, if a := declares every one of them.
func (f *fn) allNew(lhs []ast.Expr) (vars []*types.Var, ok bool) {
	for _, e := range lhs {
		v, isNew := f.info.Defs[e.(*ast.Ident)].(*types.Var)
		if !isNew || v.Name() == "_" {
			return nil, false
		}
		vars = append(vars, v)
	}
	return vars, true
}

func (f *fn) defineOrStore(id *ast.Ident, src place, from types.Type) {
	if id.Name == "_" {
		return
	}
	if v, ok := f.info.Defs[id].(*types.Var); ok {
		f.define(v, f.convertPlace(src, from, v.Type()))
		return
	}
	v := f.varOf(id)
	f.storeVar(f.lookup(v), v.Type(), f.convertPlace(src, from, v.Type()))
}

// defineFrom is x := e: computed where x will be.
func (f *fn) defineFrom(id *ast.Ident, e ast.Expr) {
	v, ok := f.info.Defs[id].(*types.Var)
	if !ok || id.Name == "_" {
		mark := f.top
		f.assignOne(id, e)
		f.top = mark
		return
	}
	f.initVar(v, e)
}

// initVar declares a variable with the value of an expression.
func (f *fn) initVar(v *types.Var, e ast.Expr) {
	x := f.declare(v)
	mark := f.top
	lit, isLit := ast.Unparen(e).(*ast.CompositeLit)
	switch {
	case !x.boxed:
		f.exprAs(e, v.Type(), x.place)
	case isLit && isAggregate(v.Type()):
		// Not into the place of v: the literal may name a variable that v hides.
		f.emit(code.MovR, x.place.r, f.newLiteral(lit, v.Type()), 0, 0)
	default:
		src := f.valueAs(e, v.Type())
		f.fresh(v, x)
		f.storeVar(x, v.Type(), src)
	}
	f.top = mark
	f.visible(v)
}
