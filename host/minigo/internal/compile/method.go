package compile

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// wrapKey identifies a wrapper function between a caller and a method.
type wrapKey struct {
	t    types.Type
	f    *types.Func
	kind string
}

// wrapper makes such a function once.
func (c *compiler) wrapper(k wrapKey, sig *types.Signature, body func(g *fn)) int {
	if i, ok := c.wraps[k]; ok {
		return i
	}
	g := c.newFn(funcName(k.f)+k.kind, sig)
	g.out.Wrapper = true
	c.wraps[k] = g.index
	c.queue = append(c.queue, func() {
		g.pkg = k.f.Pkg()
		body(g)
		g.emit(code.Ret, 0, 0, 0, 0)
	})
	return g.index
}

// methodFunc is the function of a method of type t that is called with a t as receiver.
func (c *compiler) methodFunc(t types.Type, m *types.Selection) int {
	f := m.Obj().(*types.Func)
	sig := f.Type().(*types.Signature)
	if len(m.Index()) == 1 && types.Identical(sig.Recv().Type(), t) {
		return c.asFunc(f)
	}
	recv := types.NewVar(0, f.Pkg(), "", t)
	outer := types.NewSignatureType(recv, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return c.wrapper(wrapKey{t, f, ""}, outer, func(g *fn) {
		index := m.Index()
		if elem, ok := deref(t); ok && len(index) == 1 {
			g.out.NilReceiver = fmt.Sprintf("value method %s.%s.%s called using nil *%[2]s pointer", f.Pkg().Path(), typeName(elem), f.Name())
		}
		o := operand{p: place{g.out.RecvN, g.out.RecvR}}
		o, at := g.walk(o, t, index[:len(index)-1])
		g.forward(g.methodOn(o, at, f), place{g.out.ResN, g.out.ResR})
	})
}

// forward calls with the arguments that begin at a place of the window and returns the
// results.
func (f *fn) forward(c callee, args place) {
	w := f.window(c)
	res := f.c.layout(c.sig.Results())
	f.move(w.plus(res), args, f.c.layout(c.sig.Params()))
	f.emitCall(c, w)
	f.move(place{}, w, res)
}

// methodExpr is the function T.M, whose first parameter is the receiver.
func (c *compiler) methodExpr(sel *types.Selection) int {
	f := sel.Obj().(*types.Func)
	sig := sel.Type().(*types.Signature)
	return c.wrapper(wrapKey{sel.Recv(), f, "-expr"}, sig, func(g *fn) {
		index := sel.Index()
		args := place{g.out.ResN, g.out.ResR}
		o, t := g.walk(operand{p: args}, sel.Recv(), index[:len(index)-1])
		g.forward(g.methodOn(o, t, f), args.plus(c.layout(sel.Recv())))
	})
}

// methodValueTo computes x.M as a function: it keeps the receiver, evaluated now.
func (f *fn) methodValueTo(e *ast.SelectorExpr, sel *types.Selection, dst place) {
	m := sel.Obj().(*types.Func)
	index := sel.Index()
	o, t := f.walk(f.operandOf(e.X), f.typeOf(e.X), index[:len(index)-1])
	kept := t
	if !isInterface(t) {
		kept = m.Type().(*types.Signature).Recv().Type()
	}
	at := f.temp(kept)
	if isInterface(t) {
		f.load(o, t, at)
		f.emit(code.TypeNum, f.word(), at.n, 0, 0) // nil panics now
	} else {
		f.receiver(o, t, kept, at)
	}
	box := f.ref()
	f.newObject(box, f.c.layout(kept))
	f.storeAt(box, layout{}, at, f.c.layout(kept))
	fn := f.c.prog.Funcs[f.c.bound(kept, m)]
	f.emit(code.Closure, dst.r, 0, 0, f.aux(code.Aux{F: fn, List: []code.Slot{{R: int32(box)}}}))
}

// bound is the function of a method value; it finds the receiver in its closure.
func (c *compiler) bound(kept types.Type, m *types.Func) int {
	sig := m.Type().(*types.Signature)
	outer := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return c.wrapper(wrapKey{kept, m, "-fm"}, outer, func(g *fn) {
		g.out.Clo = g.ref()
		box := g.ref()
		g.emit(code.Capt, box, g.out.Clo, 0, 0)
		o := operand{inMem: true, m: mem{obj: box, idx: -1, l: c.layout(kept)}}
		g.forward(g.methodOn(o, kept, m), place{g.out.ResN, g.out.ResR})
	})
}
