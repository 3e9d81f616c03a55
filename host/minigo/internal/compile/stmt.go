package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// compileDecl compiles a declared function.
func (f *fn) compileDecl(d *ast.FuncDecl) {
	f.at(d.Pos())
	f.esc = findEscapes(f.info, f.boxed)
	f.esc.walk(d)
	f.body(d.Type, d.Recv, d.Body)
}

// body compiles the code of a function, whose window is laid out.
func (f *fn) body(ft *ast.FuncType, recv *ast.FieldList, block *ast.BlockStmt) {
	f.defers = hasDefer(block)
	f.declareParams(ft.Params, place{f.out.ResN, f.out.ResR})
	f.declareParams(recv, place{f.out.RecvN, f.out.RecvR})
	f.declareResults(ft.Results)
	f.block(block.List)
	f.at(block.Rbrace)
	f.leave()
	if f.defers {
		f.land(f.exits...)
		f.out.Epilogue = f.pc()
		f.emit(code.RetDefer, 0, 0, 0, 0)
		f.bringResults()
		f.emit(code.Ret, 0, 0, 0, 0)
	}
}

func hasDefer(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

func (f *fn) declareParams(list *ast.FieldList, at place) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		l := f.c.layout(f.info.Types[field.Type].Type)
		if e, ok := field.Type.(*ast.Ellipsis); ok {
			l = f.c.layout(types.NewSlice(f.info.Types[e.Elt].Type))
		}
		if len(field.Names) == 0 {
			at = at.plus(l)
		}
		for _, name := range field.Names {
			f.declareParam(name, at)
			at = at.plus(l)
		}
	}
}

func (f *fn) declareParam(name *ast.Ident, at place) {
	v, ok := f.info.Defs[name].(*types.Var)
	if !ok || name.Name == "_" {
		return
	}
	if !f.needsObject(v) {
		f.vars[v] = variable{place: at}
		f.argument(v, at)
		return
	}
	open := len(f.open)
	f.argument(v, at)
	x := f.declare(v)
	f.fresh(v, x)
	f.storeVar(x, v.Type(), at)
	f.hide(open)
	f.visible(v)
}

func (f *fn) declareResults(list *ast.FieldList) {
	all := layout{f.out.ResN, f.out.ResR}
	if list == nil || all == (layout{}) {
		return
	}
	named := len(list.List[0].Names) > 0
	if named || f.defers {
		f.zero(place{}, all)
	}
	if !named {
		return
	}
	at := place{}
	for _, field := range list.List {
		for _, name := range field.Names {
			v := f.info.Defs[name].(*types.Var)
			f.results = append(f.results, v)
			if f.needsObject(v) {
				f.fresh(v, f.declare(v))
			} else {
				f.vars[v] = variable{place: at}
			}
			f.visible(v)
			at = at.plus(f.c.layout(v.Type()))
		}
	}
}

// bringResults copies named results that live in objects to the registers the caller reads.
func (f *fn) bringResults() {
	at := place{}
	for _, v := range f.results {
		if x := f.vars[v]; x.boxed {
			f.loadVar(x, v.Type(), at)
		}
		at = at.plus(f.c.layout(v.Type()))
	}
}

// leave ends the function, with its results set.
func (f *fn) leave() {
	if f.defers {
		f.exits = append(f.exits, f.emit(code.Jmp, 0, 0, 0, 0))
		return
	}
	f.bringResults()
	f.emit(code.Ret, 0, 0, 0, 0)
}

func (f *fn) returnStmt(s *ast.ReturnStmt) {
	res := f.sig.Results()
	switch {
	case len(s.Results) == 0 || f.returnsItself(s): // no access of a result that a closure has
	case f.returnsWord(s):
		f.emit(code.RetN, f.expr(s.Results[0]).n, 0, 0, 0)
		return
	case len(s.Results) == 1 && res.Len() > 1:
		values, ts := f.tuple(s.Results[0])
		for i := range values {
			values[i] = f.convertPlace(values[i], ts[i], res.At(i).Type())
		}
		f.setResults(values)
	case len(f.results) == 0 && (!f.defers || len(s.Results) == 1):
		at := place{}
		for i, e := range s.Results {
			t := res.At(i).Type()
			f.exprAs(e, t, at)
			at = at.plus(f.c.layout(t))
		}
	default:
		values := make([]place, len(s.Results))
		for i, e := range s.Results {
			t := res.At(i).Type()
			values[i] = f.own(e, t)
		}
		f.setResults(values)
	}
	f.at(s.Pos())
	f.leave()
}

// returnsItself reports whether the values of a return are the named results.
func (f *fn) returnsItself(s *ast.ReturnStmt) bool {
	if len(f.results) != len(s.Results) {
		return false
	}
	for i, e := range s.Results {
		if id, ok := ast.Unparen(e).(*ast.Ident); !ok || f.info.Uses[id] != f.results[i] {
			return false
		}
	}
	return true
}

// returnsWord reports whether a return returns one word that is already in a register, or will
// be.
func (f *fn) returnsWord(s *ast.ReturnStmt) bool {
	res := f.sig.Results()
	if f.defers || len(f.results) > 0 || res.Len() != 1 || f.c.layout(res.At(0).Type()) != (layout{1, 0}) {
		return false
	}
	e := ast.Unparen(s.Results[0])
	if _, ok := f.inRegisters(e); ok {
		return f.info.Types[e].Value == nil
	}
	_, isCall := e.(*ast.CallExpr)
	return isCall
}

func (f *fn) setResults(values []place) {
	at := place{}
	for i, src := range values {
		t := f.sig.Results().At(i).Type()
		if len(f.results) > 0 {
			f.storeVar(f.vars[f.results[i]], t, src)
		} else {
			f.move(at, src, f.c.layout(t))
		}
		at = at.plus(f.c.layout(t))
	}
}

// block compiles statements; the registers of its variables are free after it.
func (f *fn) block(list []ast.Stmt) {
	mark, open := f.top, len(f.open)
	for _, s := range list {
		f.stmt(s)
	}
	f.top = mark
	f.hide(open)
}

func (f *fn) stmt(s ast.Stmt) {
	f.at(s.Pos())
	mark, open := f.top, len(f.open)
	keep := false
	switch s := s.(type) {
	case *ast.ExprStmt:
		f.exprStmt(s.X)
	case *ast.AssignStmt:
		f.assign(s)
		keep = s.Tok == token.DEFINE
	case *ast.IncDecStmt:
		one := &ast.BasicLit{ValuePos: s.TokPos, Kind: token.INT, Value: "1"}
		f.info.Types[one] = oneOf(f.typeOf(s.X))
		f.assignOp(s.X, map[token.Token]token.Token{token.INC: token.ADD_ASSIGN, token.DEC: token.SUB_ASSIGN}[s.Tok], one)
	case *ast.DeclStmt:
		f.declStmt(s.Decl.(*ast.GenDecl))
		keep = true
	case *ast.ReturnStmt:
		f.returnStmt(s)
	case *ast.BlockStmt:
		f.block(s.List)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.forStmt(s)
	case *ast.RangeStmt:
		f.rangeStmt(s)
	case *ast.SwitchStmt:
		f.switchStmt(s)
	case *ast.TypeSwitchStmt:
		f.typeSwitch(s)
	case *ast.SelectStmt:
		f.selectStmt(s)
	case *ast.SendStmt:
		f.send(s)
	case *ast.GoStmt:
		f.spawn(s.Call, code.Go)
		f.ownPoint()
	case *ast.DeferStmt:
		f.spawn(s.Call, code.Defer)
	case *ast.LabeledStmt:
		f.labeled(s)
		keep = true
	case *ast.BranchStmt:
		f.branch(s)
	case *ast.EmptyStmt:
	default:
		f.unknown(s)
	}
	if !keep {
		f.top = mark
		f.hide(open)
	}
}

func (f *fn) exprStmt(e ast.Expr) {
	e = ast.Unparen(e)
	call, ok := e.(*ast.CallExpr)
	if !ok {
		if tuple, ok := f.typeOf(e).(*types.Tuple); !ok || tuple.Len() > 0 {
			f.expr(e)
		}
		return
	}
	switch tv := f.info.Types[ast.Unparen(call.Fun)]; {
	case tv.IsBuiltin():
		f.discardBuiltin(call, builtinName(ast.Unparen(call.Fun)))
	case tv.IsType():
		f.expr(e)
	default:
		f.call(call)
	}
}

func (f *fn) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		f.varSpec(spec.(*ast.ValueSpec))
	}
}

func (f *fn) varSpec(s *ast.ValueSpec) {
	switch {
	case len(s.Values) == 0:
		for _, id := range s.Names {
			if v, ok := f.info.Defs[id].(*types.Var); ok {
				f.declareZero(v)
			}
		}
	case len(s.Values) == len(s.Names) && len(s.Names) == 1:
		if s.Names[0].Name == "_" {
			f.expr(s.Values[0])
			return
		}
		f.initVar(f.info.Defs[s.Names[0]].(*types.Var), s.Values[0])
	case len(s.Values) == len(s.Names):
		values := make([]place, len(s.Values))
		for i, e := range s.Values {
			t := f.info.Defs[s.Names[i]].(*types.Var).Type()
			values[i] = f.own(e, t)
		}
		for i, id := range s.Names {
			v := f.info.Defs[id].(*types.Var)
			f.defineOrStore(id, values[i], v.Type())
		}
	default:
		values, ts := f.tuple(s.Values[0])
		for i, id := range s.Names {
			f.defineOrStore(id, values[i], ts[i])
		}
	}
}

func (f *fn) declareZero(v *types.Var) {
	x := f.declare(v)
	if x.boxed {
		f.fresh(v, x)
	} else {
		f.zero(x.place, f.c.layout(v.Type()))
	}
	f.visible(v)
}

func (f *fn) ifStmt(s *ast.IfStmt) {
	mark := f.top
	if s.Init != nil {
		f.stmt(s.Init)
	}
	if away := leaves(s.Body); away != nil && s.Else == nil {
		f.leaveBy(away, f.jumpIf(s.Cond, true)...)
		f.top = mark
		return
	}
	no := f.jumpIf(s.Cond, false)
	f.block(s.Body.List)
	if s.Else == nil {
		f.land(no...)
	} else {
		end := f.emit(code.Jmp, 0, 0, 0, 0)
		f.land(no...)
		f.stmt(s.Else)
		f.land(end)
	}
	f.top = mark
}
