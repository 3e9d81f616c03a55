package starlark

import "go.starlark.net/syntax"

// rewrite puts calls of paying functions in the place of operators. Each call has the position of its operator, so that
// errors name the same place.
func rewrite(list []syntax.Stmt) {
	for _, s := range list {
		rewriteStatement(s)
	}
}

func rewriteStatement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		rewriteAssignment(s)
	case *syntax.DefStmt:
		parameters(s.Params)
		rewrite(s.Body)
	case *syntax.ExprStmt:
		s.X = paid(s.X)
	case *syntax.ForStmt:
		target(s.Vars)
		s.X = paid(s.X)
		rewrite(s.Body)
	case *syntax.WhileStmt:
		s.Cond = paid(s.Cond)
		rewrite(s.Body)
	case *syntax.IfStmt:
		s.Cond = paid(s.Cond)
		rewrite(s.True)
		rewrite(s.False)
	case *syntax.ReturnStmt:
		s.Result = paid(s.Result)
	}
}

func rewriteAssignment(s *syntax.AssignStmt) {
	target(s.LHS)
	s.RHS = paid(s.RHS)
	op, is := augmented[s.Op]
	if !is {
		return
	}
	if id, ok := s.LHS.(*syntax.Ident); ok {
		again := &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
		s.RHS = callOf(added+operators[op], s.OpPos, again, s.RHS)
		return
	}
	s.RHS = callOf(changed, s.OpPos, s.RHS)
}

// callOf is a call of a function by a name that no program can write.
func callOf(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// target changes the expressions inside of what is assigned to.
func target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.IndexExpr:
		e.X, e.Y = paid(e.X), paid(e.Y)
	case *syntax.DotExpr:
		e.X = paid(e.X)
	case *syntax.ParenExpr:
		target(e.X)
	case *syntax.TupleExpr:
		for _, part := range e.List {
			target(part)
		}
	case *syntax.ListExpr:
		for _, part := range e.List {
			target(part)
		}
	}
}

// parameters changes the default values.
func parameters(list []syntax.Expr) {
	for _, p := range list {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = paid(b.Y)
		}
	}
}

func paidAll(list []syntax.Expr) {
	for i, e := range list {
		list[i] = paid(e)
	}
}

// paid is an expression with the calls.
func paid(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		return paidBinary(e)
	case *syntax.DotExpr:
		e.X = paid(e.X)
		return callOf(attribute, e.Dot, e)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = callOf(sliced, e.Lbrack, paid(e.X)), paid(e.Lo), paid(e.Hi), paid(e.Step)
	case *syntax.CallExpr:
		e.Fn = paid(e.Fn)
		paidAll(e.Args)
	case *syntax.Comprehension:
		paidClauses(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = paid(e.Cond), paid(e.True), paid(e.False)
	case *syntax.DictEntry:
		e.Key, e.Value = paid(e.Key), paid(e.Value)
	case *syntax.DictExpr:
		paidAll(e.List)
	case *syntax.IndexExpr:
		e.X, e.Y = paid(e.X), paid(e.Y)
	case *syntax.LambdaExpr:
		parameters(e.Params)
		e.Body = paid(e.Body)
	case *syntax.ListExpr:
		paidAll(e.List)
	case *syntax.ParenExpr:
		e.X = paid(e.X)
	case *syntax.TupleExpr:
		paidAll(e.List)
	case *syntax.UnaryExpr:
		if e.X = paid(e.X); e.X != nil && (e.Op == syntax.STAR || e.Op == syntax.STARSTAR) {
			e.X = callOf(spread, e.OpPos, e.X)
		}
	}
	return e
}

func paidBinary(e *syntax.BinaryExpr) syntax.Expr {
	e.Y = paid(e.Y)
	if e.Op == syntax.EQ { // an argument by name
		return e
	}
	e.X = paid(e.X)
	if name, pays := operators[e.Op]; pays {
		return callOf(name, e.OpPos, e.X, e.Y)
	}
	return e
}

func paidClauses(e *syntax.Comprehension) {
	e.Body = paid(e.Body)
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			target(c.Vars)
			c.X = paid(c.X)
		case *syntax.IfClause:
			c.Cond = paid(c.Cond)
		}
	}
}
