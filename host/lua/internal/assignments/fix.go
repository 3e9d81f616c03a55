package assignments

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"

	"github.com/selvage-dev/selvage/host/lua/internal/tree"
)

// Fix corrects the statements of a chunk, and those of the functions in it.
func Fix(block []ast.Stmt) {
	for i, s := range block {
		for _, e := range tree.Expressions(s) {
			tree.Visit(e, func(e ast.Expr) {
				if f, ok := e.(*ast.FunctionExpr); ok {
					Fix(f.Stmts)
				}
			})
		}
		for _, inner := range tree.Blocks(s) {
			Fix(inner)
		}
		if a, ok := s.(*ast.AssignStmt); ok && wrong(a) {
			block[i] = separated(a)
		}
	}
}

// wrong reports whether the compiler may get an assignment wrong: a variable may have its value before
// another value, or a table or key on the left, is used; or a variable is the value of a field.
func wrong(s *ast.AssignStmt) bool {
	if len(s.Lhs) < 2 {
		return false
	}
	for i, left := range s.Lhs {
		name, ok := left.(*ast.IdentExpr)
		if !ok {
			continue
		}
		for j, other := range s.Lhs {
			if _, ok := other.(*ast.AttrGetExpr); ok && (uses(other, name.Value, false) || j < len(s.Rhs) && isName(s.Rhs[j])) {
				return true
			}
		}
		for j := i + 1; j < len(s.Rhs); j++ {
			if uses(s.Rhs[j], name.Value, true) {
				return true
			}
		}
	}
	return false
}

func isName(e ast.Expr) bool {
	_, ok := e.(*ast.IdentExpr)
	return ok
}

// uses reports whether an expression reads a variable, or calls a function, which may.
func uses(e ast.Expr, name string, calls bool) (found bool) {
	tree.Visit(e, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.IdentExpr:
			found = found || e.Value == name
		case *ast.FuncCallExpr:
			found = found || calls
		}
	})
	return found
}

// separated evaluates everything first, in the order of the text, and assigns then, the last first.
func separated(s *ast.AssignStmt) ast.Stmt {
	first := &ast.LocalAssignStmt{}
	targets := make([]ast.Expr, len(s.Lhs))
	keep := func(e ast.Expr) ast.Expr {
		first.Exprs = append(first.Exprs, single(e))
		return local(first, e)
	}
	for i, left := range s.Lhs {
		get, ok := left.(*ast.AttrGetExpr)
		if !ok {
			targets[i] = left
			continue
		}
		kept := &ast.AttrGetExpr{Object: keep(get.Object), Key: get.Key}
		if _, constant := get.Key.(*ast.StringExpr); !constant {
			kept.Key = keep(get.Key)
		}
		at(kept, get)
		targets[i] = kept
	}
	first.Exprs = append(first.Exprs, s.Rhs...)
	block := &ast.DoBlockStmt{Stmts: make([]ast.Stmt, 1+len(targets))}
	block.Stmts[0] = first
	for i, target := range targets {
		set := &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{local(first, target)}}
		at(set, s)
		block.Stmts[len(targets)-i] = set
	}
	at(first, s)
	at(block, s)
	return block
}

// single is an expression that has one value also at the end of a list.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// local declares the next variable, under a name that no program has, and uses it at the place of an
// expression.
func local(s *ast.LocalAssignStmt, of ast.PositionHolder) ast.Expr {
	v := &ast.IdentExpr{Value: "(value " + strconv.Itoa(len(s.Names)+1) + ")"}
	s.Names = append(s.Names, v.Value)
	at(v, of)
	return v
}

func at(made, of ast.PositionHolder) {
	made.SetLine(of.Line())
	made.SetLastLine(of.LastLine())
}
