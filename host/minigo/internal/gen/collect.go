package gen

// collection does what Go has for slices and maps.
func (b *body) collection() *piece {
	p, ok := b.some(func(p place) bool {
		return !p.risky && (p.t.kind == slice && !p.fixed || p.t.kind == mapping)
	})
	if !ok {
		return nil
	}
	x := p.text(manner{})
	if p.t.kind == mapping {
		return b.ofMap(p.t, x)
	}
	m := pick(b.c, manner{}, once())
	switch b.c.IntN(5) {
	case 0:
		return seq("copy(", x, ", ", b.expr(p.t, m, 2), ")")
	case 1:
		return seq("clear(", x, ")")
	case 2:
		return seq(x, " = append(", x, "[:min(len(", x, "), 9):min(len(", x, "), 9)], ", b.expr(p.t.elem, m, 2), ")")
	case 3:
		return seq("if len(", x, ") < ", longest, " {\n", x, " = append(", x, "[:len(", x, "):len(", x, ")], ", b.expr(p.t, m, 2), "...)\n}")
	}
	return seq(x, " = ", b.sliced(p.t, once(), 1))
}

func (b *body) ofMap(t *typ, x *piece) *piece {
	key := func() *piece { return b.expr(t.key, manner{}, 1) }
	switch b.c.IntN(6) {
	case 0:
		return seq("delete(", x, ", ", key(), ")")
	case 1:
		return optional("clear(", x, ")")
	case 2:
		v, ok := b.declare(&variable{name: b.fresh("v"), t: t.elem}), b.declare(&variable{name: b.fresh("ok"), t: b.bool})
		return seq(v.name, ", ", ok.name, " := ", x, "[", b.expr(t.key, manner{steady: true}, 1), "]\n_, _ = ", v.name, ", ", ok.name)
	case 3:
		if t.elem.kind == integer {
			return seq(x, "[", key(), "]", pick(b.c, "++", "--", " += 3", " *= 2"))
		}
	}
	return seq(x, "[", key(), "] = ", b.expr(t.elem, manner{}, 2))
}

// grown is a slice of which no other slice has the elements, so that append may grow it as
// it likes.
func (b *body) grown() *piece {
	t := pick(b.c, b.lists...)
	v := &variable{name: b.fresh("v"), t: t, steady: true, fixed: true, owned: true}
	n := 1 + b.c.IntN(6)
	var value *piece
	b.repeated(n, func() { value = b.expr(t.elem, manner{}, 2) })
	b.declare(v)
	return seq("var ", v.name, " ", t.name, "\nfor range ", n, " {\n", v.name, " = append(", v.name, ", ", value, ")\n}\n", uses(v))
}

// comparing compares what is more than a word. Values in interfaces may not be comparable.
func (b *body) comparing() *piece {
	p, ok := b.some(func(p place) bool {
		return !p.risky && (p.t.kind == array || p.t.kind == iface || p.t.kind == pointer || p.t.kind == structure && p.t.plain())
	})
	if !ok {
		return nil
	}
	v := b.steady("v", b.bool)
	return b.defining(v, v.name, " := (", p.text(manner{}), pick(b.c, " == ", " != "), b.expr(p.t, manner{}, 1), ")\n")
}

// library uses the packages that programs import.
func (b *body) library() *piece {
	m := manner{}
	v := b.steady("v", b.int)
	s := b.steady("v", b.string)
	text := func() *piece { return b.expr(b.string, m, 1) }
	number := func() *piece { return b.expr(b.int, m, 1) }
	switch b.c.IntN(6) {
	case 0:
		return b.defining(s, s.name, " := clip(strings.Repeat(", text(), ", ", b.c.IntN(3), "))\n")
	case 1:
		return b.defining(v, v.name, " := strings.Index(", text(), ", ", text(), ")\n")
	case 2:
		return b.defining(s, s.name, " := strconv.Itoa(", number(), ")\n")
	case 3:
		return b.defining(v, v.name, ", err := strconv.Atoi(", text(), ")\nif err != nil {\n", v.name, " = len(err.Error())\n}\n")
	}
	return b.defining(v, v.name, " := func() int {\nl := []int{", list([]*piece{number(), number(), number(), number()}), "}\n",
		pick(b.c, "sort.Ints(l)", "sort.Slice(l, func(i, j int) bool { return l[i] > l[j] })"), "\nreturn l[1]\n}()\n")
}
