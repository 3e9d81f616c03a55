package compile

import (
	"fmt"
	"go/types"
	"strings"
)

// typeString is a type as package reflect, and so %T, writes it.
func typeString(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return basicName(t)
	case *types.Named:
		return namedString(t)
	case *types.Pointer:
		return "*" + typeString(t.Elem())
	case *types.Slice:
		return "[]" + typeString(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeString(t.Elem()))
	case *types.Map:
		return "map[" + typeString(t.Key()) + "]" + typeString(t.Elem())
	case *types.Chan:
		return chanString(t)
	case *types.Signature:
		return "func" + signatureString(t)
	case *types.Struct:
		return "struct " + braced(t.NumFields(), func(i int) string { return fieldString(t, i) })
	case *types.Interface:
		return "interface " + braced(t.NumMethods(), func(i int) string { return methodString(t.Method(i)) })
	}
	return t.String()
}

// basicName is the name of the type itself where it has another, as byte.
func basicName(t *types.Basic) string {
	if t.Kind() < types.BasicKind(len(types.Typ)) && types.Typ[t.Kind()] != nil {
		return types.Typ[t.Kind()].Name()
	}
	return t.Name()
}

// joined is the text of n parts with a separator between them.
func joined(n int, separator string, part func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = part(i)
	}
	return strings.Join(parts, separator)
}

// braced is the body of a struct or an interface.
func braced(n int, part func(i int) string) string {
	if n == 0 {
		return "{}"
	}
	return "{ " + joined(n, "; ", part) + " }"
}

func qualifier(p *types.Package) string {
	if p == nil {
		return ""
	}
	return p.Name() + "."
}

func namedString(t *types.Named) string {
	name := qualifier(t.Obj().Pkg()) + t.Obj().Name()
	if args := t.TypeArgs(); args.Len() > 0 {
		name += "[" + joined(args.Len(), ",", func(i int) string { return typeString(args.At(i)) }) + "]"
	}
	return name
}

func chanString(t *types.Chan) string {
	elem := typeString(t.Elem())
	switch t.Dir() {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	if c, ok := t.Elem().(*types.Chan); ok && c.Dir() == types.RecvOnly {
		elem = "(" + elem + ")"
	}
	return "chan " + elem
}

func signatureString(t *types.Signature) string {
	params, results := t.Params(), t.Results()
	text := "(" + joined(params.Len(), ", ", func(i int) string {
		p := params.At(i).Type()
		if s, ok := p.(*types.Slice); ok && t.Variadic() && i == params.Len()-1 {
			return "..." + typeString(s.Elem())
		}
		return typeString(p)
	}) + ")"
	result := joined(results.Len(), ", ", func(i int) string { return typeString(results.At(i).Type()) })
	switch results.Len() {
	case 0:
		return text
	case 1:
		return text + " " + result
	}
	return text + " (" + result + ")"
}

func fieldString(t *types.Struct, i int) string {
	text := typeString(t.Field(i).Type())
	if !t.Field(i).Embedded() {
		text = t.Field(i).Name() + " " + text
	}
	if tag := t.Tag(i); tag != "" {
		text += fmt.Sprintf(" %q", tag)
	}
	return text
}

func methodString(m *types.Func) string {
	text := m.Name() + signatureString(m.Type().(*types.Signature))
	if m.Exported() {
		return text
	}
	return qualifier(m.Pkg()) + text
}
