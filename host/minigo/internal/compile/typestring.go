package compile

import (
	"fmt"
	"go/types"
	"strings"
)

// typeString is a type as package reflect, and so %T, writes it.
func typeString(t types.Type) string {
	var b strings.Builder
	writeType(&b, t)
	return b.String()
}

func writeType(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(basicName(t))
	case *types.Named:
		writeNamed(b, t)
	case *types.Pointer:
		b.WriteByte('*')
		writeType(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		writeType(b, t.Elem())
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		writeType(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		writeType(b, t.Key())
		b.WriteByte(']')
		writeType(b, t.Elem())
	case *types.Chan:
		writeChan(b, t)
	case *types.Signature:
		b.WriteString("func")
		writeSignature(b, t)
	case *types.Struct:
		writeStruct(b, t)
	case *types.Interface:
		writeInterface(b, t)
	default:
		b.WriteString(t.String())
	}
}

// basicName is the name of the type itself where it has another, as byte.
func basicName(t *types.Basic) string {
	if t.Kind() < types.BasicKind(len(types.Typ)) && types.Typ[t.Kind()] != nil {
		return types.Typ[t.Kind()].Name()
	}
	return t.Name()
}

func writeNamed(b *strings.Builder, t *types.Named) {
	if p := t.Obj().Pkg(); p != nil {
		b.WriteString(p.Name())
		b.WriteByte('.')
	}
	b.WriteString(t.Obj().Name())
	if args := t.TypeArgs(); args.Len() > 0 {
		b.WriteByte('[')
		for i := range args.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			writeType(b, args.At(i))
		}
		b.WriteByte(']')
	}
}

func writeChan(b *strings.Builder, t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		b.WriteString("chan<- ")
	case types.RecvOnly:
		b.WriteString("<-chan ")
	default:
		b.WriteString("chan ")
		if c, ok := t.Elem().(*types.Chan); ok && c.Dir() == types.RecvOnly {
			b.WriteByte('(')
			writeType(b, c)
			b.WriteByte(')')
			return
		}
	}
	writeType(b, t.Elem())
}

func writeSignature(b *strings.Builder, t *types.Signature) {
	b.WriteByte('(')
	for i := range t.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		p := t.Params().At(i).Type()
		if s, ok := p.(*types.Slice); ok && t.Variadic() && i == t.Params().Len()-1 {
			b.WriteString("...")
			p = s.Elem()
		}
		writeType(b, p)
	}
	b.WriteByte(')')
	switch n := t.Results().Len(); {
	case n == 1:
		b.WriteByte(' ')
		writeType(b, t.Results().At(0).Type())
	case n > 1:
		b.WriteString(" (")
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			writeType(b, t.Results().At(i).Type())
		}
		b.WriteByte(')')
	}
}

func writeStruct(b *strings.Builder, t *types.Struct) {
	if t.NumFields() == 0 {
		b.WriteString("struct {}")
		return
	}
	b.WriteString("struct { ")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			b.WriteString(f.Name())
			b.WriteByte(' ')
		}
		writeType(b, f.Type())
		if tag := t.Tag(i); tag != "" {
			fmt.Fprintf(b, " %q", tag)
		}
	}
	b.WriteString(" }")
}

func writeInterface(b *strings.Builder, t *types.Interface) {
	if t.NumMethods() == 0 {
		b.WriteString("interface {}")
		return
	}
	b.WriteString("interface { ")
	for i := range t.NumMethods() {
		if i > 0 {
			b.WriteString("; ")
		}
		m := t.Method(i)
		if !m.Exported() && m.Pkg() != nil {
			b.WriteString(m.Pkg().Name())
			b.WriteByte('.')
		}
		b.WriteString(m.Name())
		writeSignature(b, m.Type().(*types.Signature))
	}
	b.WriteString(" }")
}
