package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// callee is what is known of a call's target before its arguments.
type callee struct {
	sig    *types.Signature
	index  int    // of the function; -1 for a closure or an interface's method
	native string // its name; "" if it is not native
	clo    int    // register of a closure
	iface  place  // the interface whose method is called
	method int32  // -1 if it is not a method of an interface
	recv   operand
	recvT  types.Type // of the operand
	static *types.Func
}

// callTo computes a call of at most one result, or a conversion.
func (f *fn) callTo(e *ast.CallExpr, dst place) {
	fun := ast.Unparen(e.Fun)
	tv := f.info.Types[fun]
	switch {
	case tv.IsType():
		f.convertTo(e.Args[0], tv.Type, dst)
	case tv.IsBuiltin():
		f.builtinTo(e, builtinName(fun), dst)
	default:
		f.move(dst, f.call(e), f.c.layout(f.typeOf(e)))
	}
}

func builtinName(fun ast.Expr) string {
	switch x := fun.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return "unsafe." + x.Sel.Name
	}
	return ""
}

// call computes a call and returns the place of its results.
func (f *fn) call(e *ast.CallExpr) place {
	if f.unwatched(e) {
		return f.top
	}
	if f.intrinsic(e) {
		dst := f.word()
		f.emit(code.SqrtF, dst, f.expr(e.Args[0]).n, 0, 0)
		return place{n: dst, r: f.top.r}
	}
	c := f.callee(e)
	w := f.window(c)
	f.args(e, c.sig, w)
	f.at(e.Pos())
	f.emitCall(c, w)
	f.top = w.plus(f.c.layout(c.sig.Results()))
	return w
}

// intrinsic reports whether a call is compiled to an instruction.
func (f *fn) intrinsic(e *ast.CallExpr) bool {
	fn := f.staticFunc(e.Fun)
	return fn != nil && fn.FullName() == "math.Sqrt"
}

// staticFunc is the named function, not a method; nil if it is computed.
func (f *fn) staticFunc(e ast.Expr) *types.Func {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		fn, _ := f.info.Uses[e].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		if f.info.Selections[e] == nil {
			fn, _ := f.info.Uses[e.Sel].(*types.Func)
			return fn
		}
	}
	return nil
}

// callee computes the function of a call.
func (f *fn) callee(e *ast.CallExpr) callee {
	sig, ok := f.typeOf(e.Fun).Underlying().(*types.Signature)
	if !ok {
		f.unknown(e)
	}
	if fn := f.staticFunc(e.Fun); fn != nil {
		return f.c.calleeOf(fn, sig)
	}
	if x, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		if sel := f.info.Selections[x]; sel.Kind() == types.MethodVal {
			return f.methodCallee(x, sel)
		}
	}
	return callee{sig: sig, index: -1, method: -1, clo: f.expr(e.Fun).r}
}

func (c *compiler) calleeOf(fn *types.Func, sig *types.Signature) callee {
	x := callee{sig: sig, index: -1, method: -1, static: fn}
	if c.isNative(fn) {
		x.native = nativeName(fn)
	} else {
		x.index = c.funcIndex(fn)
	}
	return x
}

// nativeName is "strings.Index" or "sync.Mutex.Lock".
func nativeName(fn *types.Func) string {
	recv := fn.Type().(*types.Signature).Recv()
	if recv == nil {
		return fn.Pkg().Path() + "." + fn.Name()
	}
	t, _ := deref(recv.Type())
	return fn.Pkg().Path() + "." + typeName(t) + "." + fn.Name()
}

// methodCallee computes the receiver of x.M.
func (f *fn) methodCallee(x *ast.SelectorExpr, sel *types.Selection) callee {
	index := sel.Index()
	o, t := f.walk(f.operandOf(x.X), f.typeOf(x.X), index[:len(index)-1])
	return f.methodOn(o, t, sel.Obj().(*types.Func))
}

// methodOn is a method of an operand of type t.
func (f *fn) methodOn(o operand, t types.Type, m *types.Func) callee {
	sig := m.Type().(*types.Signature)
	if isInterface(t) {
		p := f.temp(t)
		f.load(o, t, p)
		return callee{sig: sig, index: -1, iface: p, method: f.c.methodNumber(m)}
	}
	c := f.c.calleeOf(m, sig)
	c.recv, c.recvT = o, t
	return c
}

// window reserves the results, parameters and receiver of a call, and stores the receiver.
func (f *fn) window(c callee) place {
	res, params := f.c.layout(c.sig.Results()), f.c.layout(c.sig.Params())
	w := f.reserve(res.plus(params))
	if c.recvT != nil {
		want := c.sig.Recv().Type()
		at := f.temp(want)
		f.receiver(c.recv, c.recvT, want, at)
	}
	return w
}

// receiver turns an operand into what the method wants: its address, or its value.
func (f *fn) receiver(o operand, t, want types.Type, dst place) {
	_, wantsPointer := want.Underlying().(*types.Pointer)
	elem, isPointer := deref(t)
	switch {
	case wantsPointer && isPointer:
		f.load(o, t, dst)
	case wantsPointer:
		o.m.l = f.c.layout(t)
		f.viewTo(o.m, dst.r)
	case isPointer:
		f.loadAt(dst, f.pointerOf(o), layout{}, f.c.layout(elem))
	default:
		f.load(o, t, dst)
	}
}

// args computes the arguments into the window.
func (f *fn) args(e *ast.CallExpr, sig *types.Signature, w place) {
	at := w.plus(f.c.layout(sig.Results()))
	params := sig.Params()
	if len(e.Args) == 1 && params.Len() != 0 {
		if _, multi := f.typeOf(e.Args[0]).(*types.Tuple); multi {
			f.spread(e.Args[0], sig, at)
			return
		}
	}
	for i := range params.Len() {
		t := params.At(i).Type()
		mark := f.top
		if sig.Variadic() && i == params.Len()-1 && !e.Ellipsis.IsValid() {
			f.variadic(e.Args[i:], t, at)
		} else {
			f.exprAs(e.Args[i], t, at)
		}
		f.top = mark
		at = at.plus(f.c.layout(t))
	}
}

// variadic makes a slice of the remaining arguments.
func (f *fn) variadic(args []ast.Expr, t types.Type, dst place) {
	if len(args) == 0 {
		f.zero(dst, layout{3, 1})
		return
	}
	elem := t.Underlying().(*types.Slice).Elem()
	f.sliceFrom(f.ownAll(args, elem), elem, dst)
}

// sliceFrom makes a slice of values in registers.
func (f *fn) sliceFrom(values []place, elem types.Type, dst place) {
	l := f.c.layout(elem)
	n := f.word()
	f.loadInt(n, int64(len(values)))
	f.makeSlice(dst, n, n, l)
	for i, v := range values {
		f.storeAt(dst.r, layout{i * l.n, i * l.r}, v, l)
	}
}

func (f *fn) makeSlice(dst place, n, c int, l layout) {
	f.emit(code.MakeSlice, 0, 0, 0, f.aux(code.Aux{I: [8]int32{int32(dst.n), int32(dst.r), int32(n), int32(c), int32(l.n), int32(l.r)}}))
}

// spread is f(g()) where g has several results.
func (f *fn) spread(arg ast.Expr, sig *types.Signature, at place) {
	values, ts := f.tuple(arg)
	params := sig.Params()
	for i := range params.Len() {
		t := params.At(i).Type()
		if sig.Variadic() && i == params.Len()-1 {
			elem := t.Underlying().(*types.Slice).Elem()
			var rest []place
			for j := i; j < len(values); j++ {
				rest = append(rest, f.convertPlace(values[j], ts[j], elem))
			}
			if len(rest) == 0 {
				f.zero(at, layout{3, 1})
			} else {
				f.sliceFrom(rest, elem, at)
			}
			return
		}
		f.move(at, f.convertPlace(values[i], ts[i], t), f.c.layout(t))
		at = at.plus(f.c.layout(t))
	}
}

func (f *fn) emitCall(c callee, w place) {
	switch {
	case c.native != "":
		f.emitNative(w, c.static, c.sig, c.native)
	case c.index >= 0:
		f.emit(code.Call, w.n, w.r, 0, int32(c.index))
	case c.method >= 0:
		f.emit(code.CallI, w.n, w.r, c.iface.n, f.aux(code.Aux{I: [8]int32{int32(c.iface.r), c.method}}))
	default:
		f.emit(code.CallC, w.n, w.r, c.clo, 0)
	}
}

// point is where an explored program may be preempted; in others there is none.
func (f *fn) point() {
	if f.c.points {
		f.emit(code.Point, 0, 0, 0, 0)
	}
}

// ownPoint is point in the program's own code: the library says itself where its points are.
func (f *fn) ownPoint() {
	if pkg := f.c.pkgs[f.pkg]; pkg != nil && pkg.Guest {
		f.point()
	}
}

// emitNative calls a native function; C is the size of its results. Two native functions have
// instructions of their own.
func (f *fn) emitNative(w place, fn *types.Func, sig *types.Signature, native string) {
	switch _, name, _ := strings.Cut(native, "."); {
	case native == "runtime.Gosched":
		f.emit(code.Yield, 0, 0, 0, 0)
		return
	case name == "point":
		f.point()
		return
	}
	res := f.c.layout(sig.Results())
	if fn != nil && f.c.pkgs[fn.Pkg()].Bound {
		if max(res.n, res.r) > maxNativeResults {
			f.refuse(token.NoPos, "results this large of a function of the host; return a pointer or a slice")
		}
		f.c.bind(native, sig)
	}
	if f.c.prog.Watched && sharesMore(native) {
		f.append(code.Watch, code.WatchOrder, 0, 0, -1)
	}
	f.emit(code.Native, w.n, w.r, res.n<<8|res.r, f.c.native(native))
}

// maxNativeResults is how many words, and references, the results of a native function have at most.
const maxNativeResults = 255

// bind records the types of a function of the host.
func (c *compiler) bind(native string, sig *types.Signature) {
	if _, known := c.prog.Bound[native]; known {
		return
	}
	if c.prog.Bound == nil {
		c.prog.Bound = map[string]code.Export{}
	}
	c.prog.Bound[native] = code.Export{Params: c.typesOf(sig.Params()), Results: c.typesOf(sig.Results())}
}

// typesOf are the types of variables.
func (c *compiler) typesOf(list *types.Tuple) (all []*code.Type) {
	for v := range list.Variables() {
		all = append(all, c.typeOf(v.Type()))
	}
	return all
}

// funcTo makes a function value of a declared function.
func (f *fn) funcTo(fn *types.Func, dst place) {
	f.emit(code.Closure, dst.r, 0, 0, f.aux(code.Aux{F: f.c.prog.Funcs[f.c.asFunc(fn)]}))
}

// asFunc is the number of a function that may be native.
func (c *compiler) asFunc(fn *types.Func) int {
	if !c.isNative(fn) {
		return c.funcIndex(fn)
	}
	fn = fn.Origin()
	if i, ok := c.funcs[fn]; ok {
		return i
	}
	g := c.newFn(funcName(fn), fn.Type().(*types.Signature))
	c.funcs[fn] = g.index
	g.emitNative(place{}, fn, fn.Type().(*types.Signature), nativeName(fn))
	g.emit(code.Ret, 0, 0, 0, 0)
	return g.index
}
