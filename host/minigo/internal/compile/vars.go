package compile

import (
	"go/ast"
	"go/types"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// variable is the place of a variable: in registers; in an object that a register holds; or in a
// global's object.
type variable struct {
	place  place
	boxed  bool // place.r holds its object
	global bool
	index  int // of the global
	name   string
}

// declare makes a local variable with registers of its own. Its value is not set.
func (f *fn) declare(v *types.Var) variable {
	var x variable
	if f.needsObject(v) {
		x = variable{place: place{f.top.n, f.ref()}, boxed: true}
	} else {
		x = variable{place: f.temp(v.Type())}
	}
	f.vars[v] = x
	return x
}

func (f *fn) needsObject(v *types.Var) bool { return f.boxed[v] || f.c.inMemory(v.Type()) }

// fresh gives the variable a new object, if it needs one: at its declaration, and for
// each iteration of its loop.
func (f *fn) fresh(v *types.Var, x variable) {
	if x.boxed {
		f.newObject(x.place.r, f.c.layout(v.Type()))
	}
}

func (f *fn) newObject(reg int, l layout) {
	f.emit(code.New, reg, 0, 0, f.aux(code.Aux{I: [8]int32{int32(l.n), int32(l.r)}}))
}

// define declares a variable and gives it the value at src; init stores it elsewhere.
func (f *fn) define(v *types.Var, src place) {
	x := f.declare(v)
	f.fresh(v, x)
	f.storeVar(x, v.Type(), src)
	f.visible(v)
}

// lookup is the place of a variable that is used here.
func (f *fn) lookup(v *types.Var) variable {
	if x, ok := f.vars[v]; ok {
		x.name = v.Name()
		return x
	}
	if i, ok := f.c.globals[v]; ok {
		return variable{global: true, index: i, name: v.Name()}
	}
	panic("minigo: the variable " + v.Name() + " has no place")
}

// varOf is the variable an identifier means; nil if it means something else.
func (f *fn) varOf(id *ast.Ident) *types.Var {
	v, _ := f.info.ObjectOf(id).(*types.Var)
	return v
}

// object gives a register that holds the object of a variable in memory.
func (f *fn) object(x variable) int {
	if x.boxed {
		return x.place.r
	}
	r := f.ref()
	f.emit(code.GPtr, r, 0, 0, int32(x.index))
	return r
}

func (f *fn) loadVar(x variable, t types.Type, dst place) {
	l := f.c.layout(t)
	switch {
	case !x.boxed && !x.global:
		f.move(dst, x.place, l)
	case x.global && l.single():
		f.what = x.name
		f.emit(choose(l.n == 1, code.LoadGN, code.LoadGR), dst.only(l), 0, 0, int32(x.index))
	default:
		f.what = x.name
		f.loadAt(dst, f.object(x), layout{}, l)
	}
}

func (f *fn) storeVar(x variable, t types.Type, src place) {
	l := f.c.layout(t)
	switch {
	case !x.boxed && !x.global:
		f.move(x.place, src, l)
	case x.global && l.single():
		f.what = x.name
		f.emit(choose(l.n == 1, code.StoreGN, code.StoreGR), src.only(l), 0, 0, int32(x.index))
	default:
		f.what = x.name
		f.storeAt(f.object(x), layout{}, src, l)
	}
}

// loadAt copies a value out of the object a register holds, from an offset.
func (f *fn) loadAt(dst place, obj int, off, l layout) {
	if l.single() {
		f.emit(choose(l.n == 1, code.LoadN, code.LoadR), dst.only(l), obj, 0, int32(place(off).only(l)))
		return
	}
	f.emit(code.LoadV, 0, obj, 0, f.aux(code.Aux{I: span(dst, off, l)}))
}

func (f *fn) storeAt(obj int, off layout, src place, l layout) {
	if l.single() {
		f.emit(choose(l.n == 1, code.StoreN, code.StoreR), obj, src.only(l), 0, int32(place(off).only(l)))
		return
	}
	f.emit(code.StoreV, obj, 0, 0, f.aux(code.Aux{I: span(src, off, l)}))
}

func span(reg place, off, l layout) [8]int32 {
	return [8]int32{int32(reg.n), int32(reg.r), int32(off.n), int32(off.r), int32(l.n), int32(l.r)}
}
