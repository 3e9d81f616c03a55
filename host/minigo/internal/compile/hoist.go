package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
)

// maxHoisted is the most constants a loop keeps in registers.
const maxHoisted = 16

// hoist loads the constants of a loop once, before the loop, and makes expr use them while the
// loop is compiled. Inner loops share those of the outermost.
func (f *fn) hoist(loop ast.Stmt) (done func()) {
	if f.consts != nil {
		return func() {}
	}
	f.consts = map[uint64]int{}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			f.hoistOperand(n.X, n.Op)
			f.hoistOperand(n.Y, n.Op)
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				f.hoistOperand(n.Rhs[0], token.ADD)
			}
		}
		return true
	})
	return func() { f.consts = nil }
}

// hoistOperand loads an operand if it is a constant that does not fit into an instruction.
func (f *fn) hoistOperand(e ast.Expr, op token.Token) {
	w, ok := f.constWord(e)
	if _, known := f.consts[w]; !ok || known || len(f.consts) == maxHoisted || !f.needsRegister(e, op) {
		return
	}
	r := f.word()
	f.at(e.Pos())
	f.loadWord(r, w)
	f.consts[w] = r
}

// constWord is the register representation of a numeric constant.
func (f *fn) constWord(e ast.Expr) (uint64, bool) {
	tv := f.info.Types[e]
	switch {
	case tv.Value == nil || isUntyped(tv.Type):
		return 0, false
	case isFloat(tv.Type):
		return math.Float64bits(floatConst(tv.Value, tv.Type)), true
	case isInteger(tv.Type):
		return uint64(intConst(tv.Value)), true
	}
	return 0, false
}

// needsRegister reports whether a constant does not fit into jumps and arithmetic.
func (f *fn) needsRegister(e ast.Expr, op token.Token) bool {
	k, isInt := f.intValue(e)
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return !isInt || k != int64(int16(k)) || isUnsigned(f.typeOf(e))
	}
	return !isInt || k != int64(int32(k))
}

// hoisted is the register that holds a constant throughout the loop.
func (f *fn) hoisted(e ast.Expr) (place, bool) {
	if f.consts == nil {
		return place{}, false
	}
	w, ok := f.constWord(e)
	if !ok {
		return place{}, false
	}
	r, ok := f.consts[w]
	return place{n: r}, ok
}

// lasting is the operand of a range, if it is a variable in registers that does not change while
// the loop runs, so that it needs no copy.
func (f *fn) lasting(s *ast.RangeStmt) (place, bool) {
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return place{}, false
	}
	v, _ := f.info.Uses[id].(*types.Var)
	x, ok := f.vars[v]
	if !ok || x.boxed || f.changes(s, v, ast.Unparen) {
		return place{}, false
	}
	return x.place, true
}

// assigns reports whether a statement assigns to the variable, as a whole or to a part of it.
func (f *fn) assigns(s ast.Stmt, v *types.Var) bool { return f.changes(s, v, rootOf) }

// changes reports whether a statement assigns to an operand of the variable.
func (f *fn) changes(s ast.Stmt, v *types.Var, down func(ast.Expr) ast.Expr) (found bool) {
	is := func(e ast.Expr) {
		id, ok := down(e).(*ast.Ident)
		found = found || ok && f.info.Uses[id] == v
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				is(e)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				is(n.Key)
				is(n.Value)
			}
		}
		return !found
	})
	return found
}

// rootOf is the operand that a field or an element belongs to.
func rootOf(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return e
		}
	}
}

// defined is the variable in registers that a range declares by this name; nil if there is none.
func (f *fn) defined(e ast.Expr, tok token.Token) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok || tok != token.DEFINE {
		return nil
	}
	v, ok := f.info.Defs[id].(*types.Var)
	if !ok || id.Name == "_" || f.needsObject(v) {
		return nil
	}
	return v
}

// rangeOwn is rangeVar for registers with no other use: if the variable is in registers, it is
// there.
func (f *fn) rangeOwn(e ast.Expr, tok token.Token, src place, from types.Type) {
	if v := f.defined(e, tok); v != nil {
		f.vars[v] = variable{place: src}
		f.visible(v)
		return
	}
	f.rangeVar(e, tok, src, from)
}
