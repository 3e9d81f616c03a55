package fibers

import (
	"maps"

	glua "github.com/yuin/gopher-lua"
)

// object is a Go value as a Lua program holds it. Only the fibers of its owner may use it.
type object[T any] struct {
	of   T
	kind *typeOf[T]
}

// Describe is the name of its type, and the one that tostring adds to it.
func (o *object[T]) Describe() string {
	if o.kind.spec.show == nil {
		return o.kind.kind
	}
	return o.kind.kind + ": " + o.kind.spec.show(o.of)
}

// as returns the object in a Lua value, if it is one of that type.
func as[T any](v glua.LValue) (o *object[T], ok bool) {
	ud, ok := v.(*glua.LUserData)
	if !ok {
		return nil, false
	}
	o, ok = ud.Value.(*object[T])
	return o, ok
}

// argument returns the object that is an argument of a function. The hint is added to the
// error about a value of another type.
func argument[T any](e *env, L *glua.LState, n int, kind, hint string) T {
	o, ok := as[T](L.Get(n))
	if !ok {
		L.ArgError(n, kind+" expected, got "+typeName(L.Get(n))+hint)
	}
	e.checkOwner(L, kind, o.kind.env)
	return o.of
}

// checkOwner refuses an object of another Host, whose fibers belong to another scheduler.
// That Host may be the one of the object, or the one of the calling Lua code.
func (e *env) checkOwner(L *glua.LState, kind string, owner *env) {
	if owner != e || L.G != e.state.Base().G {
		L.RaiseError("this %s belongs to another Lua state", kind)
	}
}

// typeOf describes one type of objects.
type typeOf[T any] struct {
	*env
	kind string // what error messages call an object
	hint string // what they add if a method was called without its object
	spec typeSpec[T]
	made *glua.LTable // the metatable, from the first object on
}

// typeSpec is what differs between the types.
type typeSpec[T any] struct {
	library string // the type's name for programs is library.kind
	kind    string
	self    string // the variable that stands for an object in hints
	// show returns the name that tostring adds to the kind. Unlike an address it is the
	// same in every run. If show is nil, tostring gives the address.
	show func(T) string
	// methods makes the methods. An operation that a fiber does begins with typeOf.op,
	// any other one with typeOf.receiver.
	methods func(*typeOf[T]) functions
	// metamethods are optional.
	metamethods func(*typeOf[T]) functions
}

// newType makes a type. Its metatable is made with the first object, because most programs use few
// types.
func newType[T any](e *env, spec typeSpec[T]) *typeOf[T] {
	t := &typeOf[T]{env: e, kind: spec.kind, hint: "; call it as " + spec.self + ":method()", spec: spec}
	e.types = append(e.types, t)
	return t
}

// metatable is that of the objects. Programs can neither read nor replace it, nor the registry, which
// has it.
func (t *typeOf[T]) metatable() *glua.LTable {
	if t.made == nil {
		t.makeMetatable()
	}
	return t.made
}

func (t *typeOf[T]) makeMetatable() {
	L, spec := t.state.Base(), t.spec
	t.made = L.CreateTable(0, 4)
	t.made.RawSetString("__metatable", glua.LString(spec.library+"."+spec.kind))
	t.made.RawSetString("__index", functionTable(L, t.paying(spec.library, spec.methods(t))))
	events := functions{}
	if spec.show != nil {
		events["__tostring"] = t.string(func(v T) string { return spec.kind + ": " + spec.show(v) })
	}
	if spec.metamethods != nil {
		maps.Copy(events, spec.metamethods(t))
	}
	for name, fn := range events {
		t.made.RawSetString(name, L.NewFunction(fn))
	}
	L.SetField(L.Get(glua.RegistryIndex), spec.library+"."+spec.kind, t.made) // as gopher-lua does
}

// wrap makes a Lua value of v.
func (t *typeOf[T]) wrap(v T) *glua.LUserData {
	return &glua.LUserData{Value: &object[T]{v, t}, Metatable: t.metatable()}
}

// receiver returns the object whose method was called.
func (t *typeOf[T]) receiver(L *glua.LState) T { return argument[T](t.env, L, 1, t.kind, t.hint) }

// op begins a method that only a fiber can call: one that may wait, or that acts as the fiber.
func (t *typeOf[T]) op(L *glua.LState) (call, T) {
	v := t.receiver(L)
	return t.begin(L), v
}

// string makes a method that returns a text about its object.
func (t *typeOf[T]) string(text func(T) string) glua.LGFunction {
	return func(L *glua.LState) int { return push(L, glua.LString(text(t.receiver(L)))) }
}

// number makes a method that returns a number about its object.
func (t *typeOf[T]) number(n func(T) int) glua.LGFunction {
	return func(L *glua.LState) int { return push(L, glua.LNumber(n(t.receiver(L)))) }
}

// bool makes a method that returns what fn does.
func (t *typeOf[T]) bool(fn func(T) bool) glua.LGFunction {
	return func(L *glua.LState) int { return push(L, glua.LBool(fn(t.receiver(L)))) }
}

// typeName is the name of a Lua type, or of the type of an object.
func typeName(v glua.LValue) string {
	if ud, ok := v.(*glua.LUserData); ok && ud.Metatable != nil {
		if mt, ok := ud.Metatable.(*glua.LTable); ok {
			if name, ok := mt.RawGetString("__metatable").(glua.LString); ok {
				return string(name)
			}
		}
	}
	return v.Type().String()
}
