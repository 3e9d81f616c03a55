package gen

import (
	"fmt"
	"slices"
)

type kind uint8

const (
	boolean kind = iota
	integer
	float
	text
	array
	slice
	mapping
	structure
	pointer
	iface
	function
)

// typ is a type. There is one for each that a program has.
type typ struct {
	kind   kind
	name   string // as the program spells it
	bits   int
	signed bool
	named  bool
	key    *typ
	elem   *typ // of arrays, slices, maps and pointers
	n      int  // of arrays
	fields []field

	// Of functions; of interfaces the one method's.
	params, results []*typ
	method          string
	methods         []*routine // of a type; those with a pointer receiver are not in that of a value
	implementers    []*typ
}

type field struct {
	name     string
	t        *typ
	embedded bool
}

func (t *typ) number() bool { return t.kind == integer || t.kind == float }
func (t *typ) scalar() bool { return t.kind <= text }

// plain types have no reference in them: they can be copied, printed and handed over.
func (t *typ) plain() bool {
	switch t.kind {
	case boolean, integer, float, text:
		return true
	case array:
		return t.elem.plain()
	case structure:
		return !slices.ContainsFunc(t.fields, func(f field) bool { return !f.t.plain() })
	}
	return false
}

// shown types print the same everywhere: no address is in them.
func (t *typ) shown() bool {
	switch t.kind {
	case array, slice:
		return t.elem.shown()
	case mapping:
		return t.key.scalar() && t.key.kind != float && !t.key.named && t.elem.shown()
	}
	return t.plain()
}

func intType(bits int, signed bool) *typ {
	name := fmt.Sprintf("int%d", bits)
	if bits == 0 {
		bits, name = 64, "int"
	}
	if !signed {
		name = "u" + name
	}
	return &typ{kind: integer, name: name, bits: bits, signed: signed}
}

func sliceOf(elem *typ) *typ   { return &typ{kind: slice, name: "[]" + elem.name, elem: elem} }
func pointerTo(elem *typ) *typ { return &typ{kind: pointer, name: "*" + elem.name, elem: elem} }
func arrayOf(n int, elem *typ) *typ {
	return &typ{kind: array, name: fmt.Sprintf("[%d]%s", n, elem.name), elem: elem, n: n}
}
func mapOf(key, elem *typ) *typ {
	return &typ{kind: mapping, name: "map[" + key.name + "]" + elem.name, key: key, elem: elem}
}
