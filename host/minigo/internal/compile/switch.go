package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

func (f *fn) switchStmt(s *ast.SwitchStmt) {
	mark := f.top
	sc := f.enter(false)
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var tag place
	var t types.Type
	if s.Tag != nil {
		t = types.Default(f.typeOf(s.Tag))
		tag = f.own(s.Tag, t)
	}
	f.clauses(sc, s.Body, func(e ast.Expr) []int { return f.caseJump(e, s.Tag != nil, tag, t) },
		func(c *ast.CaseClause) { f.block(c.Body) })
	f.exit(sc)
	f.top = mark
}

// clauses compiles the body of a switch: all cases, then the code of each clause.
func (f *fn) clauses(sc *scope, body *ast.BlockStmt, jump func(ast.Expr) []int, clause func(*ast.CaseClause)) {
	bodies := make([][]int, len(body.List)) // the jumps to each clause
	none := &sc.breaks                      // those for no case
	for i, c := range body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			none = &bodies[i]
		}
		for _, e := range c.List {
			bodies[i] = append(bodies[i], jump(e)...)
		}
	}
	*none = append(*none, f.emit(code.Jmp, 0, 0, 0, 0))
	for i, c := range body.List {
		c := c.(*ast.CaseClause)
		f.land(bodies[i]...)
		clause(c)
		next := &sc.breaks
		if fallsThrough(c.Body) {
			next = &bodies[i+1]
		}
		*next = append(*next, f.emit(code.Jmp, 0, 0, 0, 0))
	}
}

// caseJump jumps if a case matches.
func (f *fn) caseJump(e ast.Expr, tagged bool, tag place, t types.Type) []int {
	mark := f.top
	defer func() { f.top = mark }()
	f.at(e.Pos())
	if !tagged {
		return f.jumpIf(e, true)
	}
	if k, ok := f.intValue(e); ok && k == int64(int16(k)) && !isInterface(t) {
		return []int{f.emit(code.JEqK, tag.n, 0, int(uint16(k)), 0)}
	}
	x, ct := tag, t
	if isInterface(f.typeOf(e)) && !isInterface(t) {
		ct = f.typeOf(e)
		x = f.convertPlace(tag, t, ct)
	}
	y := f.valueAs(e, ct)
	hit := f.word()
	f.comparePlaces(token.EQL, ct, x, y, hit)
	return []int{f.emit(code.JT, hit, 0, 0, 0)}
}

func fallsThrough(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

func (f *fn) typeSwitch(s *ast.TypeSwitchStmt) {
	mark := f.top
	sc := f.enter(false)
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var subject ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		subject = a.X
	case *ast.AssignStmt:
		subject = a.Rhs[0]
	}
	e := ast.Unparen(subject).(*ast.TypeAssertExpr).X
	t := f.typeOf(e)
	x := f.temp(t)
	f.exprTo(e, x)
	f.clauses(sc, s.Body, func(e ast.Expr) []int { return []int{f.typeJump(e, x)} },
		func(c *ast.CaseClause) { f.typeClause(c, x, t) })
	f.exit(sc)
	f.top = mark
}

// typeJump jumps if the interface holds the type, or is nil.
func (f *fn) typeJump(e ast.Expr, x place) int {
	f.at(e.Pos())
	if f.info.Types[e].IsNil() {
		return f.emit(code.JEqK, x.n, 0, 0, 0)
	}
	hit := f.word()
	f.emit(code.TypeIs, x.n, hit, 0, f.aux(code.Aux{T: f.c.typeOf(f.info.Types[e].Type)}))
	return f.emit(code.JT, hit, 0, 0, 0)
}

func (f *fn) typeClause(c *ast.CaseClause, x place, from types.Type) {
	mark := f.top
	if v, ok := f.info.Implicits[c].(*types.Var); ok {
		src := x
		if !isInterface(v.Type()) {
			src = f.temp(v.Type())
			f.unbox(x, from, v.Type(), src, -1)
		}
		f.define(v, src)
	}
	f.block(c.Body)
	f.top = mark
}
