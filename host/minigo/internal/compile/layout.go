package compile

import (
	"go/types"
)

// layout is how many words and references a value takes.
type layout struct{ n, r int }

func (l layout) plus(m layout) layout { return layout{l.n + m.n, l.r + m.r} }

func (l layout) single() bool { return l.n+l.r == 1 }

// maxRegisters is the largest value that lives in registers; larger ones live in objects only.
const maxRegisters = 24

func (c *compiler) layout(t types.Type) layout {
	if l, ok := c.layouts[t]; ok {
		return l
	}
	l := c.layOut(t)
	c.layouts[t] = l
	return l
}

func (c *compiler) layOut(t types.Type) layout {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsString != 0:
			return layout{0, 1}
		case t.Kind() == types.UntypedNil:
			return layout{0, 0}
		}
		return layout{1, 0}
	case *types.Slice:
		return layout{3, 1}
	case *types.Interface:
		return layout{2, 1}
	case *types.Struct:
		return c.fieldAt(t, t.NumFields())
	case *types.Array:
		e := c.layout(t.Elem())
		return layout{e.n * int(t.Len()), e.r * int(t.Len())}
	case *types.Tuple:
		var l layout
		for v := range t.Variables() {
			l = l.plus(c.layout(v.Type()))
		}
		return l
	}
	return layout{0, 1} // pointer, map, channel, function
}

// fieldAt is where a field is in its struct.
func (c *compiler) fieldAt(s *types.Struct, index int) layout {
	var at layout
	for i := range index {
		at = at.plus(c.layout(s.Field(i).Type()))
	}
	return at
}

// inMemory reports whether variables of a type are objects, not registers: types that can be
// indexed, and large ones.
func (c *compiler) inMemory(t types.Type) bool {
	l := c.layout(t)
	return l.n+l.r > maxRegisters || c.hasArray(t)
}

// hasArray visits each type once: nested types can have exponentially many parts.
func (c *compiler) hasArray(t types.Type) bool {
	if has, ok := c.arrays[t]; ok {
		return has
	}
	has := false
	switch t := t.Underlying().(type) {
	case *types.Array:
		has = true
	case *types.Struct:
		for f := range t.Fields() {
			has = has || c.hasArray(f.Type())
		}
	}
	c.arrays[t] = has
	return has
}

// deref is what a pointer points to, and whether t is one.
func deref(t types.Type) (types.Type, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem(), true
	}
	return t, false
}
