package main

import (
	"go/ast"
	"go/token"
	"math/big"
	"strings"
)

// swaps are what an operator is replaced by: one that is wrong everywhere, and for
// comparisons one that is wrong at the boundary only.
func swaps(op token.Token) []token.Token {
	return map[token.Token][]token.Token{
		token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
		token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
		token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
		token.LAND: {token.LOR}, token.LOR: {token.LAND},
		token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
		token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.AND_NOT: {token.AND},
		token.SHL: {token.SHR}, token.SHR: {token.SHL},
		token.ADD_ASSIGN: {token.SUB_ASSIGN, token.ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN, token.ASSIGN},
		token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
		token.AND_NOT_ASSIGN: {token.OR_ASSIGN}, token.XOR_ASSIGN: {token.OR_ASSIGN},
		token.INC: {token.DEC}, token.DEC: {token.INC},
	}[op]
}

func (w *walk) function(f *ast.FuncDecl) {
	if f.Body == nil {
		return
	}
	w.in = f.Name.Name
	if f.Recv != nil {
		w.in = "(" + receiver(f.Recv.List[0].Type) + ")." + f.Name.Name
	}
	w.body(f.Type, f.Body)
}

// receiver is the type of a method's receiver, without its parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// body is that of a function or of a function literal.
func (w *walk) body(t *ast.FuncType, b *ast.BlockStmt) {
	w.kinds = append(w.kinds, t)
	if len(b.List) > 1 { // of one statement the others take care
		w.replace(b.Lbrace+1, b.Lbrace+1, "\n\treturn "+w.zeros(t)+"\n")
	}
	ast.Inspect(b, w.visit)
	w.kinds = w.kinds[:len(w.kinds)-1]
}

// visit makes the mutants of one node.
func (w *walk) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		w.body(n.Type, n.Body)
		return false
	case *ast.BlockStmt:
		w.deleteEach(n.List)
	case *ast.CaseClause:
		w.deleteEach(n.Body)
	case *ast.CommClause:
		w.deleteEach(n.Body)
	case *ast.IfStmt:
		if w.source.at(n.Cond) == "invariants.On" { // only the checked build has it
			return false
		}
		w.negate(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			w.negate(n.Cond)
		}
	case *ast.SwitchStmt:
		w.cases(n)
	case *ast.BinaryExpr:
		w.swap(n.OpPos, n.Op)
	case *ast.AssignStmt:
		w.swap(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		w.swap(n.TokPos, n.Tok)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			w.replace(n.OpPos, n.OpPos+1, "")
		}
	case *ast.BasicLit:
		w.literal(n)
	case *ast.Ident:
		w.truth(n)
	case *ast.ReturnStmt:
		w.returns(n)
	case *ast.ImportSpec, *ast.Field:
		return false
	}
	return true
}

func (s *source) at(n ast.Node) string { return string(s.text[n.Pos()-1 : n.End()-1]) }

// deleteEach leaves out one statement. A declaration would take its uses along, and a
// return of values the end of its function.
func (w *walk) deleteEach(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.DeclStmt, *ast.EmptyStmt, *ast.LabeledStmt:
			continue
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ReturnStmt:
			if len(s.Results) > 0 && len(list) == 1 {
				continue // its block is left out as a whole
			}
		case *ast.IfStmt:
			if w.source.at(s.Cond) == "invariants.On" {
				continue
			}
		}
		w.replace(s.Pos(), s.End(), "")
	}
}

// negate turns a condition round. A comparison by itself is turned by its operator.
func (w *walk) negate(cond ast.Expr) {
	switch c := cond.(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return
		}
	case *ast.BinaryExpr:
		if c.Op != token.LAND && c.Op != token.LOR {
			return
		}
	}
	w.replace(cond.Pos(), cond.End(), "!("+w.source.at(cond)+")")
}

// cases turns the conditions of a switch without a tag round.
func (w *walk) cases(n *ast.SwitchStmt) {
	if n.Tag != nil {
		return
	}
	for _, c := range n.Body.List {
		for _, cond := range c.(*ast.CaseClause).List {
			w.negate(cond)
		}
	}
}

func (w *walk) swap(at token.Pos, op token.Token) {
	for _, other := range swaps(op) {
		w.replace(at, at+token.Pos(len(op.String())), other.String())
	}
}

// literal makes a number one more, and 1 also nothing.
func (w *walk) literal(n *ast.BasicLit) {
	value, ok := new(big.Int).SetString(n.Value, 0)
	if n.Kind != token.INT || !ok {
		return
	}
	w.replace(n.Pos(), n.End(), new(big.Int).Add(value, big.NewInt(1)).String())
	if n.Value == "1" {
		w.replace(n.Pos(), n.End(), "0")
	}
}

func (w *walk) truth(n *ast.Ident) {
	switch n.Name {
	case "true":
		w.replace(n.Pos(), n.End(), "false")
	case "false":
		w.replace(n.Pos(), n.End(), "true")
	}
}

// returns has a function return nothing but zeros, or the opposite.
func (w *walk) returns(n *ast.ReturnStmt) {
	if len(n.Results) == 0 || len(w.kinds) == 0 {
		return
	}
	results := w.kinds[len(w.kinds)-1].Results
	if len(n.Results) == 1 && len(results.List) == 1 && len(results.List[0].Names) < 2 && w.source.at(results.List[0].Type) == "bool" {
		w.negate(n.Results[0])
		return
	}
	for _, r := range n.Results {
		if !w.isZero(r) {
			w.replace(n.Results[0].Pos(), n.Results[len(n.Results)-1].End(), w.zeros(w.kinds[len(w.kinds)-1]))
			return
		}
	}
}

// isZero reports whether an expression is a zero value, by its text.
func (w *walk) isZero(e ast.Expr) bool {
	if c, ok := e.(*ast.CompositeLit); ok {
		return len(c.Elts) == 0
	}
	switch w.source.at(e) {
	case "nil", "0", `""`, "false":
		return true
	}
	return false
}

// zeros are the zero values of a function's results, whatever their types are.
func (w *walk) zeros(t *ast.FuncType) string {
	if t.Results == nil {
		return ""
	}
	var zeros []string
	for _, r := range t.Results.List {
		for range max(1, len(r.Names)) {
			zeros = append(zeros, "*new("+w.source.at(r.Type)+")")
		}
	}
	return strings.Join(zeros, ", ")
}
