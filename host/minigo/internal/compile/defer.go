package compile

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// The kinds of function of a Go or Defer, in I[2] of its Aux.
const (
	spawnFunc = iota
	spawnClosure
	spawnMethod
)

// spawn compiles go and defer: the function and its arguments are evaluated now.
func (f *fn) spawn(e *ast.CallExpr, op code.Op) {
	fun := ast.Unparen(e.Fun)
	if f.info.Types[fun].IsBuiltin() {
		f.spawnBuiltin(e, op)
		return
	}
	if f.info.Types[fun].IsType() {
		f.expr(e)
		return
	}
	c := f.callee(e)
	w := f.window(c)
	f.args(e, c.sig, w)
	f.at(e.Pos())
	f.emitSpawn(c, w, op)
}

func (f *fn) emitSpawn(c callee, w place, op code.Op) {
	size := f.c.layout(c.sig.Results()).plus(f.c.layout(c.sig.Params()))
	if c.recvT != nil {
		size = size.plus(f.c.layout(c.sig.Recv().Type()))
	}
	x := code.Aux{I: [8]int32{int32(w.n), int32(w.r), spawnFunc, int32(size.n), int32(size.r)}}
	switch {
	case c.native != "":
		x.F = f.c.prog.Funcs[f.c.asFunc(c.static)]
	case c.index >= 0:
		x.F = f.c.prog.Funcs[c.index]
	case c.method >= 0:
		x.I[2], x.I[5], x.I[6], x.I[7] = spawnMethod, int32(c.iface.n), int32(c.iface.r), c.method
	default:
		x.I[2], x.I[5] = spawnClosure, int32(c.clo)
	}
	f.emit(op, 0, 0, 0, f.aux(x))
}

// callOf is the same call with variables of these types as arguments.
func (f *fn) callOf(e *ast.CallExpr, ts []types.Type) (inner *ast.CallExpr, params []*types.Var) {
	inner = &ast.CallExpr{Fun: e.Fun, Lparen: e.Lparen, Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	f.info.Types[inner] = f.info.Types[e]
	for i, t := range ts {
		id := ast.NewIdent(fmt.Sprintf("p%d", i))
		v := types.NewVar(e.Pos(), f.pkg, id.Name, t)
		f.info.Uses[id] = v
		f.info.Types[id] = types.TypeAndValue{Type: t}
		params = append(params, v)
		inner.Args = append(inner.Args, id)
	}
	return inner, params
}

// spreadBuiltin evaluates the arguments of builtin(f()), and returns a call with variables.
func (f *fn) spreadBuiltin(e *ast.CallExpr) *ast.CallExpr {
	values, ts := f.tuple(e.Args[0])
	inner, params := f.callOf(e, ts)
	for i, v := range params {
		f.vars[v] = variable{place: values[i]}
	}
	return inner
}

// spawnBuiltin is go or defer of a builtin: of a function of its arguments that calls it.
func (f *fn) spawnBuiltin(e *ast.CallExpr, op code.Op) {
	ts := make([]types.Type, len(e.Args))
	for i, a := range e.Args {
		ts[i] = types.Default(f.typeOf(a))
	}
	inner, params := f.callOf(e, ts)
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), nil, false)
	g := f.c.newFn(f.out.Name+".deferwrap", sig)
	g.info, g.pkg, g.line = f.info, f.pkg, f.line
	g.out.File, g.out.Wrapper = f.out.File, true
	at := place{}
	for _, v := range params {
		g.vars[v] = variable{place: at}
		at = at.plus(f.c.layout(v.Type()))
	}
	if builtinName(ast.Unparen(e.Fun)) != "recover" { // is not called by a deferred function: it has no effect
		g.exprStmt(inner)
	}
	g.emit(code.Ret, 0, 0, 0, 0)
	c := callee{sig: sig, index: g.index, method: -1}
	w := f.window(c)
	args := w
	for i, a := range e.Args {
		f.exprAs(a, params[i].Type(), args)
		args = args.plus(f.c.layout(params[i].Type()))
	}
	f.emitSpawn(c, w, op)
}
