package levels_test

import "github.com/yuin/gopher-lua/ast"

// height is the number of levels of a syntax tree: how often gopher-lua's compiler calls
// itself.
func height(statements []ast.Stmt) (highest int) {
	for _, s := range statements {
		highest = max(highest, ofStatement(s))
	}
	return highest
}

func ofStatement(s ast.Stmt) int {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return max(ofAll(s.Lhs), ofAll(s.Rhs))
	case *ast.LocalAssignStmt:
		return ofAll(s.Exprs)
	case *ast.FuncCallStmt:
		return ofOne(s.Expr)
	case *ast.DoBlockStmt:
		return 1 + height(s.Stmts)
	case *ast.WhileStmt:
		return max(ofOne(s.Condition), 1+height(s.Stmts))
	case *ast.RepeatStmt:
		return max(ofOne(s.Condition), 1+height(s.Stmts))
	case *ast.IfStmt:
		return 1 + max(ofOne(s.Condition), height(s.Then), height(s.Else))
	case *ast.NumberForStmt:
		return max(ofOne(s.Init), ofOne(s.Limit), ofOne(s.Step), 1+height(s.Stmts))
	case *ast.GenericForStmt:
		return max(ofAll(s.Exprs), 1+height(s.Stmts))
	case *ast.FuncDefStmt:
		return max(ofOne(s.Name.Func), ofOne(s.Name.Receiver), ofOne(s.Func))
	case *ast.ReturnStmt:
		return ofAll(s.Exprs)
	}
	return 0 // break, goto, label
}

func ofAll(list []ast.Expr) (highest int) {
	for _, e := range list {
		highest = max(highest, ofOne(e))
	}
	return highest
}

func ofOne(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return 1 + max(ofOne(e.Object), ofOne(e.Key))
	case *ast.TableExpr:
		highest := 0
		for _, f := range e.Fields {
			highest = max(highest, ofOne(f.Key), ofOne(f.Value))
		}
		return 1 + highest
	case *ast.FuncCallExpr:
		return 1 + max(ofOne(e.Func), ofOne(e.Receiver), ofAll(e.Args))
	case *ast.LogicalOpExpr:
		return 1 + max(ofOne(e.Lhs), ofOne(e.Rhs))
	case *ast.RelationalOpExpr:
		return 1 + max(ofOne(e.Lhs), ofOne(e.Rhs))
	case *ast.StringConcatOpExpr:
		return 1 + max(ofOne(e.Lhs), ofOne(e.Rhs))
	case *ast.ArithmeticOpExpr:
		return 1 + max(ofOne(e.Lhs), ofOne(e.Rhs))
	case *ast.UnaryMinusOpExpr:
		return 1 + ofOne(e.Expr)
	case *ast.UnaryNotOpExpr:
		return 1 + ofOne(e.Expr)
	case *ast.UnaryLenOpExpr:
		return 1 + ofOne(e.Expr)
	case *ast.FunctionExpr:
		return 1 + height(e.Stmts)
	}
	return 0
}
