package gen

import "strconv"

func (b *body) branch() *piece {
	b.open()
	defer b.close()
	init := &piece{}
	cond := b.operand(b.bool, b.someManner(), deep)
	if chance(b.c, 4) {
		t := pick(b.c, b.numbers...)
		value := b.expr(t, b.someManner(), 1)
		v := b.declare(&variable{name: b.fresh("v"), t: t, steady: true})
		init = seq(v.name, " := ", value, "; ")
		cond = nested(nested(seq(v.name), pick(b.c, "<", ">", "!="), b.expr(t, manner{}, 1)), pick(b.c, "&&", "||"), cond)
	}
	then := b.block(b.small())
	if chance(b.c, 2) {
		return seq("if ", init, cond, " {\n", then, "}").or(seq("{\n", then, "}"))
	}
	other := b.block(b.small())
	return seq("if ", init, cond, " {\n", then, "} else {\n", other, "}").or(seq("{\n", then, "}"), seq("{\n", other, "}"))
}

// looping is a loop, which runs a bounded number of times.
func (b *body) looping() *piece {
	if b.nested >= maxNesting {
		return nil
	}
	b.open()
	defer b.close()
	return pick(b.c, (*body).counting, (*body).counting, (*body).rangeNumber, (*body).rangeOver, (*body).rangeOver, (*body).while)(b)
}

// loopBody writes the body of a loop that runs n times.
func (b *body) loopBody(head *piece, n int, vars ...*variable) *piece {
	used := false
	label := b.fresh("L")
	b.loops = append(b.loops, loop{label, &used, b.level})
	var inner *piece
	b.repeated(n, func() { inner = seq(uses(vars...), b.block(b.small())) })
	b.loops = b.loops[:len(b.loops)-1]
	if used {
		// An unused label is an error: a jump of the loop itself uses it.
		return seq(label, ":\n", head, " {\n", inner, "if true {\ncontinue ", label, "\n}\n}")
	}
	return seq(head, " {\n", inner, "}").or(seq("{\n", inner, "}"))
}

func (b *body) counting() *piece {
	n := 1 + b.c.IntN(5)
	t := b.int
	if chance(b.c, 3) {
		t = pick(b.c, b.integers...)
	}
	v := b.declare(&variable{name: b.fresh("i"), t: t, steady: true, fixed: true})
	if chance(b.c, 4) {
		return b.loopBody(seq("for ", v.name, " := ", t.name, "(", n, "); ", v.name, " > 0; ", v.name, "--"), n)
	}
	return b.loopBody(seq("for ", v.name, " := ", t.name, "(0); ", v.name, " < ", n, "; ", v.name, "++"), n)
}

func (b *body) rangeNumber() *piece {
	n := 1 + b.c.IntN(5)
	if chance(b.c, 3) {
		return b.loopBody(seq("for range ", n), n)
	}
	v := b.declare(&variable{name: b.fresh("i"), t: b.int, steady: true, fixed: true})
	return b.loopBody(seq("for ", v.name, " := range ", n), n, v)
}

// longest is how long slices and strings can be that something is done with element by
// element.
const longest = 12

func (b *body) rangeOver() *piece {
	p, ok := b.some(func(p place) bool {
		return !p.risky && (p.t.kind == slice || p.t.kind == array || p.t == b.string)
	})
	if !ok {
		return nil
	}
	over, elem, n := p.text(manner{}), p.t.elem, longest
	switch p.t.kind {
	case text:
		over, elem = seq("clip(", over, ")"), b.rune
	case array:
		n = p.t.n
	case slice:
		over = seq(over, "[:min(", longest, ", len(", over, "))]")
	}
	i := b.declare(&variable{name: b.fresh("i"), t: b.int, steady: true, fixed: true})
	x := b.declare(&variable{name: b.fresh("x"), t: elem, steady: !chance(b.c, 3)})
	return b.loopBody(seq("for ", i.name, ", ", x.name, " := range ", over), n, i, x)
}

func (b *body) while() *piece {
	n := 2 + b.c.IntN(4)
	v := b.declare(&variable{name: b.fresh("i"), t: b.int, steady: true, fixed: true})
	cond := b.operand(b.bool, manner{}, 2)
	return b.loopBody(seq("for ", v.name, " := 0; ", v.name, " < ", n, " && ", cond, "; ", v.name, "++"), n)
}

// rangeMap adds up the entries of a map: their order cannot be told.
func (b *body) rangeMap() *piece {
	p, ok := b.some(func(p place) bool {
		return !p.risky && p.t.kind == mapping && p.t.elem.number() && p.t.elem.kind == integer
	})
	if !ok {
		return nil
	}
	sum := &variable{name: b.fresh("v"), t: p.t.elem, steady: true}
	k, x := b.fresh("k"), b.fresh("x")
	add := seq("for ", k, ", ", x, " := range ", p.text(manner{}), " {\n_ = ", k, "\n", sum.name, " += ", x, "*3+1\n}\n", uses(sum))
	b.declare(sum)
	return seq("var ", sum.name, " ", sum.t.name, "\n", add)
}

// jumping leaves a loop, or begins its next round.
func (b *body) jumping() *piece {
	var here []loop
	for _, l := range b.loops {
		if l.level == b.level {
			here = append(here, l)
		}
	}
	if len(here) == 0 {
		return nil
	}
	at := b.c.IntN(len(here))
	l := here[at]
	word := "break"
	if chance(b.c, 2) {
		word = "continue"
	}
	if at < len(here)-1 || chance(b.c, 3) {
		*l.used = true
		word += " " + l.label
	}
	return seq("if ", b.operand(b.bool, manner{}, 2), " {\n", word, "\n}")
}

// leaving returns, in some cases.
func (b *body) leaving() *piece {
	if b.nested < 2 {
		return nil
	}
	return seq("if ", b.operand(b.bool, manner{}, 2), " {\nreturn ", b.returned(), "\n}")
}

func (b *body) switching() *piece {
	b.open()
	defer b.close()
	t := pick(b.c, b.ordered...)
	if t.kind == float || t.kind == boolean || chance(b.c, 3) {
		return b.conditions()
	}
	head := seq("switch ", b.operand(t, b.someManner(), 2))
	cases := 1 + b.c.IntN(4)
	return b.cases(head, cases, func(i int) *piece {
		if t.kind == text {
			return seq(strconv.Quote([]string{"", "a", "go", "xyz"}[i]))
		}
		if chance(b.c, 3) {
			return seq(2*i, ", ", 2*i+1)
		}
		return seq(2 * i)
	})
}

// conditions is a switch without a tag.
func (b *body) conditions() *piece {
	return b.cases(seq("switch"), 1+b.c.IntN(3), func(int) *piece { return b.operand(b.bool, manner{}, 2) })
}

func (b *body) cases(head *piece, n int, test func(i int) *piece) *piece {
	other := b.c.IntN(n + 1)
	var clauses []*piece
	for i := range n {
		if i == other {
			clauses = append(clauses, seq("default:\n", b.block(b.small())).or(&piece{}))
		}
		end := &piece{}
		if i < n-1 && chance(b.c, 4) {
			end = optional("fallthrough\n")
		}
		clauses = append(clauses, seq("case ", test(i), ":\n", b.block(b.small()), end).or(&piece{}))
	}
	return seq(head, " {\n", clauses, "}")
}
