package gen

// deep is how deep expressions are nested at most.
const deep = 3

// expr is an expression of a type; it may be a constant.
func (b *body) expr(t *typ, m manner, depth int) *piece {
	if depth <= 0 || chance(b.c, 4) || b.c.IntN(8) == 0 {
		return b.leaf(t, m)
	}
	return b.operand(t, m, depth)
}

// leaf is a literal or a variable.
func (b *body) leaf(t *typ, m manner) *piece {
	if b.c.IntN(5) < 2 && t.kind != function {
		return b.literal(t, m, 1)
	}
	return b.variable(t, m)
}

// variable is what is somewhere; it is no constant.
func (b *body) variable(t *typ, m manner) *piece {
	if p, ok := b.read(t, m); ok {
		return seq(p.read(m)).or(b.made(t))
	}
	if !t.number() {
		return b.made(t)
	}
	p, ok := b.some(func(p place) bool { return p.t.number() && p.fits(m) })
	if !ok {
		return b.made(t)
	}
	return b.convert(t, p.t, p.read(m)).or(b.made(t))
}

// made is a value that the compiler does not take for a constant.
func (b *body) made(t *typ) *piece {
	switch {
	case !t.scalar():
		return b.literal(t, manner{steady: true}, 1)
	case t.named:
		return seq(t.name, "(", pick(b.c, "one", "two"), b.integers[2].name, ")")
	}
	return seq(pick(b.c, "one", "two"), t.name)
}

// operand is an expression that is not a constant.
func (b *body) operand(t *typ, m manner, depth int) *piece {
	if depth <= 0 || chance(b.c, 3) {
		return b.variable(t, m)
	}
	if m.calls && chance(b.c, 3) {
		if p := b.callFor(t); p != nil {
			return p
		}
	}
	depth--
	switch t.kind {
	case integer, float:
		return b.numeric(t, m, depth)
	case boolean:
		return b.condition(m, depth)
	case text:
		return b.textual(t, m, depth)
	case array, structure:
		if chance(b.c, 3) {
			return b.literal(t, m, depth)
		}
	case slice:
		return b.sliced(t, m, depth)
	}
	return b.variable(t, m)
}

// nested is a binary expression, which can give way to its left part.
func nested(left *piece, op string, right *piece) *piece {
	return seq("(", left, " "+op+" ", right, ")").or(left)
}

func (b *body) numeric(t *typ, m manner, depth int) *piece {
	if m.calls && chance(b.c, 5) {
		return b.extreme(t, m, depth)
	}
	switch b.c.IntN(8) {
	case 0:
		return seq(pick(b.c, "(-", "(+"), b.operand(t, m, depth), ")")
	case 1:
		return b.converted(t, m, depth)
	case 2:
		return b.measured(t, m, depth)
	}
	if t.kind == float {
		return b.floating(t, m, depth)
	}
	left := b.operand(t, m, depth)
	switch b.c.IntN(4) {
	case 0:
		return b.shifted(t, left, m, depth)
	case 1:
		return b.divided(t, left, m, depth)
	}
	return nested(left, pick(b.c, "+", "-", "*", "&", "|", "^", "&^"), b.expr(t, m, depth))
}

// floating wraps what is computed into a conversion: without, a compiler may round once
// where there are two operations.
func (b *body) floating(t *typ, m manner, depth int) *piece {
	left := b.operand(t, m, depth)
	return seq(t.name, nested(left, pick(b.c, "+", "-", "*", "/"), b.variable(t, m)))
}

func (b *body) shifted(t *typ, left *piece, m manner, depth int) *piece {
	count := seq(b.c.IntN(t.bits + 3))
	switch b.c.IntN(3) {
	case 0:
		count = b.operand(pick(b.c, b.unsigned...), m, depth)
	case 1:
		if m.faults() {
			m.fault()
			count = b.operand(b.int, m, depth)
		}
	}
	return nested(left, pick(b.c, "<<", ">>"), count)
}

func (b *body) divided(t *typ, left *piece, m manner, depth int) *piece {
	op := pick(b.c, "/", "%")
	if m.faults() {
		m.fault()
		return nested(left, op, b.operand(t, m, depth))
	}
	if chance(b.c, 2) {
		return nested(left, op, seq(t.name, "(", pick(b.c, 1, 2, 3, 7, 10, 100), ")"))
	}
	return nested(left, op, seq("(", b.operand(t, m, depth), " | 1)"))
}

// converted is a number of another type.
func (b *body) converted(t *typ, m manner, depth int) *piece {
	from := pick(b.c, b.numbers...)
	return b.convert(t, from, b.operand(from, m, depth))
}

func (b *body) convert(t, from *typ, x *piece) *piece {
	if from.kind == float && t.kind == integer {
		return seq(t.name, "(whole(float64(", x, ")))")
	}
	return seq(t.name, "(", x, ")")
}

// measured is a length, the smaller or the larger, or a byte of a string.
func (b *body) measured(t *typ, m manner, depth int) *piece {
	switch b.c.IntN(3) {
	case 0:
		p, ok := b.some(func(p place) bool {
			return p.fits(m) && (p.t.kind == text || p.t.kind == slice || p.t.kind == mapping)
		})
		if ok {
			return seq(t.name, "(len(", p.read(m), "))")
		}
	case 1:
		return b.extreme(t, m, depth)
	case 2:
		if p, ok := b.read(b.string, m.calm()); ok && m.faults() {
			m.fault()
			return seq(t.name, "(", p.text(m), "[", b.sliceIndex(p, m), "])")
		}
	}
	return b.variable(t, m)
}

// extreme is the smallest or the largest of two or three values, any of which may be a call.
func (b *body) extreme(t *typ, m manner, depth int) *piece {
	first := b.operand(t, m, depth)
	values := []*piece{first}
	for range 1 + b.c.IntN(2) {
		values = append(values, b.called(t, m, depth))
	}
	return seq(pick(b.c, "min", "max"), "(", list(values), ")").or(first)
}

// called is mostly a call, if there may be one; otherwise an expression.
func (b *body) called(t *typ, m manner, depth int) *piece {
	if m.calls && !chance(b.c, 4) {
		if p := b.callFor(t); p != nil {
			return p
		}
	}
	return b.operand(t, m, depth)
}

func (b *body) condition(m manner, depth int) *piece {
	switch b.c.IntN(6) {
	case 0:
		return seq("!", b.operand(b.bool, m, depth))
	case 1, 2:
		return nested(b.operand(b.bool, m, depth), pick(b.c, "&&", "||"), b.operand(b.bool, m, depth))
	case 3:
		t := pick(b.c, b.equals...)
		return nested(b.variable(t, m), pick(b.c, "==", "!="), b.expr(t, m, depth))
	}
	t := pick(b.c, b.ordered...)
	return nested(b.operand(t, m, depth), pick(b.c, "==", "!=", "<", "<=", ">", ">="), b.expr(t, m, depth))
}

func (b *body) textual(t *typ, m manner, depth int) *piece {
	switch b.c.IntN(6) {
	case 0:
		from := pick(b.c, b.printed...)
		return seq(t.name, "(fmt.Sprint(", b.variable(from, m.calm()), "))")
	case 1:
		return seq(t.name, "(rune(", b.operand(pick(b.c, b.integers...), m, depth), "))")
	case 2:
		if m.faults() {
			m.fault()
			lo, hi := b.operand(b.int, m, 0), b.operand(b.int, m, 1)
			return pick(b.c, seq(b.variable(t, m), "[", lo, ":]"), seq(b.variable(t, m), "[:", hi, "]"), seq(b.variable(t, m), "[", lo, ":", hi, "]"))
		}
	case 3:
		return seq(t.name, "([]", pick(b.c, "byte", "rune"), "(", b.operand(t, m, depth), "))")
	}
	return seq("clip", nested(b.operand(t, m, depth), "+", b.expr(t, m, depth)))
}

// sliced is a part of a slice or of an array. Its capacity is explicit: the
// capacity of a slice that has grown is not specified.
func (b *body) sliced(t *typ, m manner, depth int) *piece {
	if !m.faults() {
		return b.variable(t, m)
	}
	m.fault()
	p, ok := b.some(func(p place) bool {
		return p.fits(m) && (p.t == t || p.t.kind == array && p.t.elem == t.elem && p.address)
	})
	if !ok {
		return b.literal(t, m, depth)
	}
	lo, hi := b.sliceIndex(p, m), b.sliceIndex(p, m)
	if p.t.kind == array {
		lo, hi = b.variable(b.int, m), b.variable(b.int, m)
		return seq(p.text(m), pick(b.c, seq("[", lo, ":]"), seq("[:", hi, "]"), seq("[", lo, ":", hi, "]")))
	}
	x, most := p.text(m), b.variable(b.int, m.calm())
	return seq(x, pick(b.c, seq("[", lo, ":len(", x, "):len(", x, ")]"), seq("[:", hi, ":len(", x, ")]"), seq("[", lo, ":", most, ":len(", x, ")]")))
}
