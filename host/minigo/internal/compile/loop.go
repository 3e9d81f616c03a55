package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// scope is a statement that break and continue can leave.
type scope struct {
	label     string
	loop      bool
	breaks    []int
	continues []int
}

// label is where a goto goes.
type label struct {
	pc    int // -1: not reached yet
	jumps []int
}

func oneOf(t types.Type) types.TypeAndValue {
	v := constant.MakeInt64(1)
	if isFloat(t) {
		v = constant.ToFloat(v)
	}
	return types.TypeAndValue{Type: t, Value: v}
}

func (f *fn) labelOf(name string) *label {
	l := f.labels[name]
	if l == nil {
		l = &label{pc: -1}
		f.labels[name] = l
	}
	return l
}

func (f *fn) labeled(s *ast.LabeledStmt) {
	l := f.labelOf(s.Label.Name)
	l.pc = f.pc()
	f.land(l.jumps...)
	f.pending = s.Label.Name
	f.stmt(s.Stmt)
	f.pending = ""
}

func (f *fn) enter(loop bool) *scope {
	sc := &scope{label: f.pending, loop: loop}
	f.pending = ""
	f.scopes = append(f.scopes, sc)
	return sc
}

// exit lands the breaks behind the statement.
func (f *fn) exit(sc *scope) {
	f.scopes = f.scopes[:len(f.scopes)-1]
	f.land(sc.breaks...)
}

func (f *fn) branch(s *ast.BranchStmt) {
	if s.Tok == token.GOTO {
		l := f.labelOf(s.Label.Name)
		j := f.emit(code.Jmp, 0, 0, 0, 0)
		if l.pc >= 0 {
			f.landAt(l.pc, j)
		} else {
			l.jumps = append(l.jumps, j)
		}
		return
	}
	if s.Tok == token.FALLTHROUGH {
		return // the switch handles it
	}
	f.leaveBy(s, f.emit(code.Jmp, 0, 0, 0, 0))
}

// leaveBy makes jumps leave a statement as break or continue does.
func (f *fn) leaveBy(s *ast.BranchStmt, jumps ...int) {
	for i := len(f.scopes) - 1; i >= 0; i-- {
		sc := f.scopes[i]
		if s.Label != nil && sc.label != s.Label.Name || s.Tok == token.CONTINUE && !sc.loop {
			continue
		}
		if s.Tok == token.BREAK {
			sc.breaks = append(sc.breaks, jumps...)
		} else {
			sc.continues = append(sc.continues, jumps...)
		}
		return
	}
}

// leaves is the break or continue that is the only statement of a block, or nil.
func leaves(b *ast.BlockStmt) *ast.BranchStmt {
	if len(b.List) != 1 {
		return nil
	}
	s, ok := b.List[0].(*ast.BranchStmt)
	if !ok || s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		return nil
	}
	return s
}

func (f *fn) forStmt(s *ast.ForStmt) {
	mark := f.top
	sc := f.enter(true)
	var each []*types.Var
	if s.Init != nil {
		f.stmt(s.Init)
		each = f.definedBy(s.Init)
	}
	defer f.hoist(s)()
	var out []int
	if s.Cond != nil {
		out = f.jumpIf(s.Cond, false)
	}
	top := f.pc()
	f.block(s.Body.List)
	f.land(sc.continues...)
	for _, v := range each {
		f.renew(v)
	}
	if s.Post != nil {
		f.stmt(s.Post)
	}
	if s.Cond != nil {
		f.landAt(top, f.jumpIf(s.Cond, true)...)
	} else {
		f.landAt(top, f.emit(code.Jmp, 0, 0, 0, 0))
	}
	f.land(out...)
	f.exit(sc)
	f.top = mark
}

// definedBy are the variables of a loop that closures may keep.
func (f *fn) definedBy(s ast.Stmt) (each []*types.Var) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return nil
	}
	for _, e := range a.Lhs {
		if v, ok := f.info.Defs[e.(*ast.Ident)].(*types.Var); ok && f.boxed[v] {
			each = append(each, v)
		}
	}
	return each
}

// renew gives a loop variable the object of its next iteration.
func (f *fn) renew(v *types.Var) {
	x := f.vars[v]
	l := f.c.layout(v.Type())
	if !x.boxed {
		return
	}
	f.emit(code.Clone, x.place.r, x.place.r, 0, f.aux(code.Aux{I: [8]int32{0, 0, int32(l.n), int32(l.r)}}))
}

// rangeVar is the key or the value of a range, of which src holds the next.
func (f *fn) rangeVar(e ast.Expr, tok token.Token, src place, from types.Type) {
	if e == nil {
		return
	}
	if id, ok := e.(*ast.Ident); ok && (id.Name == "_" || tok == token.DEFINE) {
		f.defineOrStore(id, src, from)
		return
	}
	x := f.target(e)
	if !x.blank {
		f.store(x, f.convertPlace(src, from, x.t))
	}
}

// rangeVars sets both variables of a range, as one assignment.
func (f *fn) rangeVars(s *ast.RangeStmt, key place, kt types.Type, val place, vt types.Type) {
	if s.Tok == token.DEFINE || blank(s.Key) || blank(s.Value) {
		f.rangeOwn(s.Key, s.Tok, key, kt)
		f.rangeOwn(s.Value, s.Tok, val, vt)
		return
	}
	k, v := f.target(s.Key), f.target(s.Value)
	f.keepSlice(&k)
	f.keepSlice(&v)
	f.store(k, f.convertPlace(key, kt, k.t))
	f.store(v, f.convertPlace(val, vt, v.t))
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

func (f *fn) rangeStmt(s *ast.RangeStmt) {
	mark := f.top
	sc := f.enter(true)
	defer f.hoist(s.Body)()
	t := f.typeOf(s.X)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isString(t) {
			f.rangeString(s, sc)
		} else {
			f.rangeInt(s, sc)
		}
	case *types.Slice:
		f.rangeSlice(s, sc, u)
	case *types.Array:
		f.rangeArray(s, sc, u, false)
	case *types.Pointer:
		f.rangeArray(s, sc, u.Elem().Underlying().(*types.Array), true)
	case *types.Map:
		f.rangeMap(s, sc, u)
	case *types.Chan:
		f.rangeChan(s, sc, u)
	default:
		f.unknown(s)
	}
	f.exit(sc)
	f.top = mark
}

// counted is a loop of a hidden counter from 0 to n.
func (f *fn) counted(s *ast.RangeStmt, sc *scope, n int, each func(i int)) {
	i := f.word()
	f.emit(code.LoadI, i, 0, 0, 0)
	out := f.emit(code.JLe, n, i, 0, 0)
	top := f.pc()
	mark := f.top
	if v := f.defined(s.Key, s.Tok); v != nil && f.assigns(s.Body, v) {
		copied := f.word()
		f.emit(code.MovN, copied, i, 0, 0)
		each(copied)
	} else {
		each(i)
	}
	f.block(s.Body.List)
	f.top = mark
	f.land(sc.continues...)
	f.at(s.Pos())
	f.emit(code.AddK, i, i, 0, 1)
	f.landAt(top, f.emit(code.JLt, i, n, 0, 0))
	f.land(out)
}

func (f *fn) rangeInt(s *ast.RangeStmt, sc *scope) {
	t := f.typeOf(s.X)
	if s.Key != nil && isUntyped(t) {
		t = f.typeOf(s.Key)
	}
	n := f.temp(types.Default(t))
	f.exprTo(s.X, n)
	f.counted(s, sc, n.n, func(i int) { f.rangeOwn(s.Key, s.Tok, place{n: i}, types.Default(t)) })
}

func (f *fn) rangeSlice(s *ast.RangeStmt, sc *scope, u *types.Slice) {
	x, ok := f.lasting(s)
	if !ok {
		x = f.reserve(layout{3, 1})
		f.exprTo(s.X, x)
	}
	l := f.c.layout(u.Elem())
	f.counted(s, sc, x.n+1, func(i int) {
		v := f.temp(u.Elem())
		if blank(s.Value) {
			f.rangeOwn(s.Key, s.Tok, place{n: i}, types.Typ[types.Int])
			return
		}
		if l.single() {
			f.emit(choose(l.n == 1, code.IdxN, code.IdxR), v.only(l), x.n, x.r, int32(i))
		} else {
			off := f.word()
			f.emit(code.IdxOff, off, x.n, i, 0)
			f.loadMem(mem{obj: x.r, idx: off, stride: l, l: l}, v)
		}
		f.rangeVars(s, place{n: i}, types.Typ[types.Int], v, u.Elem())
	})
}

func (f *fn) rangeArray(s *ast.RangeStmt, sc *scope, a *types.Array, byPointer bool) {
	l := f.c.layout(a.Elem())
	m := mem{idx: -1}
	switch {
	case blank(s.Value):
		f.effects(s.X)
	case byPointer:
		m.obj = f.expr(s.X).r
	default:
		from := f.view(f.address(s.X))
		m.obj = f.ref()
		f.emit(code.Clone, m.obj, from, 0, f.aux(code.Aux{I: [8]int32{0, 0, int32(l.n * int(a.Len())), int32(l.r * int(a.Len())), int32(l.n), int32(l.r)}}))
	}
	n := f.word()
	f.loadInt(n, a.Len())
	f.counted(s, sc, n, func(i int) {
		if blank(s.Value) {
			f.rangeOwn(s.Key, s.Tok, place{n: i}, types.Typ[types.Int])
			return
		}
		v := f.temp(a.Elem())
		f.loadMem(mem{obj: m.obj, idx: i, stride: l, l: l}, v)
		f.rangeVars(s, place{n: i}, types.Typ[types.Int], v, a.Elem())
	})
}

func (f *fn) rangeString(s *ast.RangeStmt, sc *scope) {
	x := f.ref()
	f.exprTo(s.X, place{n: f.top.n, r: x})
	at := f.word()
	pair := f.reserve(layout{2, 0}) // width and rune
	f.emit(code.LoadI, at, 0, 0, 0)
	f.emit(code.LoadI, pair.n, 0, 0, 0)
	top := f.pc()
	f.emit(code.Add, at, at, pair.n, 0)
	out := f.emit(code.NextRune, pair.n, x, at, 0)
	mark := f.top
	key := f.word()
	f.emit(code.MovN, key, at, 0, 0)
	f.rangeVars(s, place{n: key}, types.Typ[types.Int], place{n: pair.n + 1}, types.Typ[types.Rune])
	f.block(s.Body.List)
	f.top = mark
	f.land(sc.continues...)
	f.landAt(top, f.emit(code.Jmp, 0, 0, 0, 0))
	f.land(out)
}

func (f *fn) rangeMap(s *ast.RangeStmt, sc *scope, u *types.Map) {
	it, m := f.ref(), f.expr(s.X).r
	f.what = f.text(s.X)
	f.emit(code.MapIter, it, m, 0, 0)
	key, val := f.temp(u.Key()), place{-1, -1}
	if !blank(s.Value) {
		val = f.temp(u.Elem())
	}
	top := f.pc()
	f.what = f.text(s.X)
	out := f.emit(code.MapNext, 0, 0, 0, f.aux(code.Aux{T: f.c.typeOf(u), I: [8]int32{int32(it), int32(key.n), int32(key.r), int32(val.n), int32(val.r)}}))
	mark := f.top
	f.rangeVars(s, key, u.Key(), val, u.Elem())
	f.block(s.Body.List)
	f.top = mark
	f.land(sc.continues...)
	f.landAt(top, f.emit(code.Jmp, 0, 0, 0, 0))
	f.land(out)
}

func (f *fn) rangeChan(s *ast.RangeStmt, sc *scope, u *types.Chan) {
	ch := f.ref()
	f.exprTo(s.X, place{n: f.top.n, r: ch})
	v, ok := f.temp(u.Elem()), f.word()
	line := f.line
	in := f.emit(code.Jmp, 0, 0, 0, 0)
	top := f.pc()
	mark := f.top
	f.rangeOwn(s.Key, s.Tok, v, u.Elem())
	f.block(s.Body.List)
	f.top = mark
	f.land(sc.continues...)
	f.land(in)
	f.line = line
	f.ownPoint()
	f.emitRecv(v, ok, ch, u.Elem())
	f.landAt(top, f.emit(code.JT, ok, 0, 0, 0))
}
