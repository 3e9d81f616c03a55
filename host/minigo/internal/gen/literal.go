package gen

import (
	"strconv"
	"strings"
)

// literal is a value that stands there; where its type allows, it is a constant.
func (b *body) literal(t *typ, m manner, depth int) *piece {
	if depth < 0 && t.kind > text {
		return seq("(", zero(t), ")")
	}
	switch t.kind {
	case boolean:
		return seq(t.name, "(", pick(b.c, "false", "true"), ")")
	case integer:
		if t == b.int && len(b.constants) > 0 && chance(b.c, 5) {
			return seq(pick(b.c, b.constants...))
		}
		return seq(t.name, "(", b.whole(t), ")").or(seq(t.name, "(0)"))
	case float:
		return seq(t.name, "(", pick(b.c, "0", "1", "0.5", "-1.25", "3", "0.1", "-7", "1e10", "2.5e-7", "1e30"), ")").or(seq(t.name, "(0)"))
	case text:
		return seq(t.name, "(", strconv.Quote(pick(b.c, "", "a", "go", "xyz", "hello", "né", "日本", "\x00\xff", "0123456789")), ")")
	case array, slice:
		return b.listed(t, m, depth)
	case mapping:
		if chance(b.c, 8) {
			return seq("(", t.name, ")(nil)")
		}
		return seq("(", t.name, "{", b.entries(t, m, depth), "})").or(seq("(", zero(t), ")"))
	case structure:
		return b.composed(t, m, depth)
	case pointer:
		if t.elem.kind == structure && !chance(b.c, 6) {
			return seq("(&", b.composed(t.elem, m, depth), ")").or(seq("(", t.name, ")(nil)"))
		}
		if p, ok := b.some(func(p place) bool { return p.t == t.elem && p.address && p.fits(m) }); ok {
			return seq("(&", p.text(m), ")")
		}
		return seq(pick(b.c, "new("+t.elem.name+")", "("+t.name+")(nil)"))
	case iface:
		return b.boxed(t, m, depth)
	case function:
		return b.lambda(t)
	}
	panic("gen: no literals of " + t.name)
}

// whole is the text of a number of the type, likely one at an edge.
func (b *body) whole(t *typ) string {
	bits := t.bits
	lowest, highest := int64(-1)<<(bits-1), uint64(1)<<(bits-1)-1
	if !t.signed {
		lowest, highest = 0, highest*2+1
	}
	switch b.c.IntN(8) {
	case 0, 1, 2, 3:
		return strconv.Itoa(b.c.IntN(10))
	case 4:
		return strconv.Itoa(b.c.IntN(128))
	case 5:
		return strconv.FormatInt(lowest, 10)
	case 6:
		return strconv.FormatUint(highest, 10)
	}
	if t.signed {
		return strconv.Itoa(-1 - b.c.IntN(10))
	}
	return strconv.FormatUint(highest-uint64(b.c.IntN(10)), 10)
}

func (b *body) listed(t *typ, m manner, depth int) *piece {
	n := t.n
	if t.kind == slice {
		n = b.c.IntN(5)
	}
	var values []*piece
	for range n {
		values = append(values, b.part(t.elem, m, depth-1))
	}
	whole := seq("(", t.name, "{", list(values), "})").or(seq("(", t.name, "{})"))
	if t.kind == slice && chance(b.c, 5) {
		return seq("make(", t.name, ", ", b.c.IntN(4), ", ", 3+b.c.IntN(5), ")").or(whole)
	}
	return whole
}

// entries have constant keys that differ, as Go demands.
func (b *body) entries(t *typ, m manner, depth int) *piece {
	var list []*piece
	for i := range b.c.IntN(4) {
		key := ""
		switch t.key.kind {
		case integer:
			key = strconv.Itoa(i * 3)
		case text:
			key = strconv.Quote(strings.Repeat("k", i))
		case boolean:
			key = strconv.FormatBool(i == 0)
		default:
			key = zero(t.key)
		}
		if i > 1 && t.key.kind == boolean || i > 0 && t.key.kind > text {
			break
		}
		list = append(list, seq(key, ": ", b.part(t.elem, m, depth-1), ", "))
	}
	return seq(list)
}

func (b *body) composed(t *typ, m manner, depth int) *piece {
	var values []*piece
	for _, f := range t.fields {
		values = append(values, seq(f.name, ": ", b.part(f.t, m, depth-1), ", ").or(&piece{}))
	}
	return seq("(", t.name, "{", values, "})")
}

// boxed is a value in an interface.
func (b *body) boxed(t *typ, m manner, depth int) *piece {
	from := b.heldBy(t)
	if len(from) == 0 || chance(b.c, 8) {
		return seq(t.name, "(nil)")
	}
	return seq(t.name, "(", b.part(pick(b.c, from...), m, depth-1), ")").or(seq(t.name, "(nil)"))
}

// heldBy are the types that an interface may hold.
func (b *body) heldBy(t *typ) []*typ {
	if t.method == "" {
		return b.held
	}
	return t.implementers
}

// zero is the zero value of a type.
func zero(t *typ) string {
	switch t.kind {
	case boolean:
		return "false"
	case integer, float:
		return "0"
	case text:
		return `""`
	case array, structure:
		return t.name + "{}"
	}
	return "(" + t.name + ")(nil)"
}

// part is a value within a literal.
func (b *body) part(t *typ, m manner, depth int) *piece {
	if depth <= 0 {
		return b.literal(t, m, depth)
	}
	return b.expr(t, m, depth)
}
