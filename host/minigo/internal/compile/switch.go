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
		tag = f.temp(t)
		f.exprAs(s.Tag, t, tag)
	}
	bodies := make([][]int, len(s.Body.List)) // the jumps to each clause
	def := -1
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			def = i
		}
		for _, e := range c.List {
			bodies[i] = append(bodies[i], f.caseJump(e, s.Tag != nil, tag, t)...)
		}
	}
	none := f.emit(code.Jmp, 0, 0, 0, 0)
	if def >= 0 {
		bodies[def] = append(bodies[def], none)
	} else {
		sc.breaks = append(sc.breaks, none)
	}
	for i, c := range s.Body.List {
		list := c.(*ast.CaseClause).Body
		f.land(bodies[i]...)
		f.block(list)
		if fallsThrough(list) {
			bodies[i+1] = append(bodies[i+1], f.emit(code.Jmp, 0, 0, 0, 0))
		} else {
			sc.breaks = append(sc.breaks, f.emit(code.Jmp, 0, 0, 0, 0))
		}
	}
	f.exit(sc)
	f.top = mark
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
	bodies := make([][]int, len(s.Body.List))
	def := -1
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			def = i
		}
		for _, e := range c.List {
			bodies[i] = append(bodies[i], f.typeJump(e, x))
		}
	}
	none := f.emit(code.Jmp, 0, 0, 0, 0)
	if def >= 0 {
		bodies[def] = append(bodies[def], none)
	} else {
		sc.breaks = append(sc.breaks, none)
	}
	for i, c := range s.Body.List {
		f.land(bodies[i]...)
		f.typeClause(c.(*ast.CaseClause), x, t)
		sc.breaks = append(sc.breaks, f.emit(code.Jmp, 0, 0, 0, 0))
	}
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
