package compile

import (
	"go/types"
	"reflect"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/front"
)

// typeTable finds the runtime form of a type: identical types have one.
type typeTable struct {
	byName  map[string][]pair
	exact   map[types.Type]*code.Type
	methods map[string]int32
	// describes says that the types are not for values: they have no number, and no methods.
	describes bool
}

type pair struct {
	t  types.Type
	rt *code.Type
}

func newTypeTable() typeTable {
	return typeTable{byName: map[string][]pair{}, exact: map[types.Type]*code.Type{}, methods: map[string]int32{}}
}

// typeOf is the runtime form of a type.
func (c *compiler) typeOf(t types.Type) *code.Type { return c.typeIn(&c.known, t) }

func (c *compiler) typeIn(table *typeTable, t types.Type) *code.Type {
	t = types.Unalias(t)
	if rt := table.exact[t]; rt != nil {
		return rt
	}
	name := typeString(t)
	for _, p := range table.byName[name] {
		if types.Identical(p.t, t) {
			table.exact[t] = p.rt
			return p.rt
		}
	}
	l := c.layout(t)
	rt := &code.Type{Name: name, N: l.n, R: l.r, Comparable: types.Comparable(t)}
	if !table.describes {
		rt.ID = int32(len(c.prog.Types))
		c.prog.Types = append(c.prog.Types, rt)
	}
	table.exact[t] = rt
	table.byName[name] = append(table.byName[name], pair{t, rt})
	if n, ok := t.(*types.Named); ok {
		rt.Local = n.Obj().Name()
		if n.Obj().Pkg() != nil {
			rt.Pkg = n.Obj().Pkg().Name()
		}
	}
	c.fill(table, rt, t)
	if !table.describes {
		c.addMethods(rt, t)
	}
	return rt
}

func (c *compiler) fill(table *typeTable, rt *code.Type, t types.Type) {
	if _, open := t.(*types.TypeParam); open && table.describes {
		return // Kind stays Invalid: a generic function is compiled once, for all types
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		rt.Kind = basicKinds()[u.Kind()]
		rt.Plain = !rt.Kind.Float()
	case *types.Pointer:
		rt.Kind, rt.Elem = code.Pointer, c.typeIn(table, u.Elem())
	case *types.Signature:
		rt.Kind = code.Function
	case *types.Chan:
		rt.Kind, rt.Elem, rt.Plain = code.Chan, c.typeIn(table, u.Elem()), true
	case *types.Map:
		rt.Kind, rt.Key, rt.Elem = code.Map, c.typeIn(table, u.Key()), c.typeIn(table, u.Elem())
	case *types.Slice:
		rt.Kind, rt.Elem = code.Slice, c.typeIn(table, u.Elem())
	case *types.Array:
		rt.Kind, rt.Elem, rt.Len = code.Array, c.typeIn(table, u.Elem()), u.Len()
		rt.Plain = rt.Elem.Plain
	case *types.Struct:
		rt.Kind, rt.Plain = code.Struct, true
		for i := range u.NumFields() {
			f, at := u.Field(i), c.fieldAt(u, i)
			ft := c.typeIn(table, f.Type())
			rt.Plain = rt.Plain && ft.Plain && f.Name() != "_"
			rt.Fields = append(rt.Fields, code.Field{Name: f.Name(), Tag: reflect.StructTag(u.Tag(i)).Get("guest"), Type: ft, N: at.n, R: at.r, Embedded: f.Embedded(), Exported: f.Exported()})
		}
	case *types.Interface:
		rt.Kind = code.Interface
		for m := range u.Methods() {
			if table.describes {
				break
			}
			rt.Methods = append(rt.Methods, c.methodNumber(m))
		}
	}
}

// addMethods gives a type the functions of its method set.
func (c *compiler) addMethods(rt *code.Type, t types.Type) {
	if isInterface(t) {
		return
	}
	set := types.NewMethodSet(t)
	for m := range set.Methods() {
		n := c.methodNumber(m.Obj().(*types.Func))
		for int(n) >= len(rt.Funcs) {
			rt.Funcs = append(rt.Funcs, nil)
		}
		rt.Funcs[n] = c.prog.Funcs[c.methodFunc(t, m)]
	}
}

// methodNumber numbers methods by name and signature; names that are not exported differ
// by package.
func (c *compiler) methodNumber(m *types.Func) int32 {
	id := m.Id() + " " + typeString(m.Type())
	n, ok := c.known.methods[id]
	if !ok {
		n = int32(len(c.prog.Methods))
		c.known.methods[id] = n
		c.prog.Methods = append(c.prog.Methods, m.Name())
		switch id {
		case "Error func() string":
			c.prog.ErrorMethod = n
		case "String func() string":
			c.prog.StringMethod = n
		case "GoString func() string":
			c.prog.GoStringMethod = n
		}
	}
	return n
}

// runtimeTypes names the types that the machine makes values of by itself.
func (c *compiler) runtimeTypes(pkgs []*front.Package) {
	for _, p := range pkgs {
		switch scope := p.Types.Scope(); p.Types.Path() {
		case "runtime":
			for i, name := range []string{"fault", "conversion"} {
				c.prog.RuntimeErrors[i] = c.typeOf(scope.Lookup(name).Type())
			}
		case "host":
			pointer := func(name string) *code.Type { return c.typeOf(types.NewPointer(scope.Lookup(name).Type())) }
			c.prog.Host = code.Host{
				Failure: pointer("failure"), Passed: pointer("Passed"), Iterator: pointer("Iterator"),
				Pass: c.prog.Funcs[c.funcIndex(scope.Lookup("Pass").(*types.Func))],
			}
		}
	}
}

func basicKinds() map[types.BasicKind]code.Kind {
	return map[types.BasicKind]code.Kind{
		types.Bool: code.Bool, types.UntypedBool: code.Bool,
		types.Int: code.Int, types.Int8: code.Int8, types.Int16: code.Int16, types.Int32: code.Int32, types.Int64: code.Int64,
		types.Uint: code.Uint, types.Uint8: code.Uint8, types.Uint16: code.Uint16, types.Uint32: code.Uint32, types.Uint64: code.Uint64,
		types.Uintptr: code.Uintptr, types.UntypedInt: code.Int, types.UntypedRune: code.Int32,
		types.Float32: code.Float32, types.Float64: code.Float64, types.UntypedFloat: code.Float64,
		types.String: code.String, types.UntypedString: code.String,
	}
}
