package gen

// lambda is a function literal without effects on what is outside.
func (b *body) lambda(t *typ) *piece {
	return b.literalFunc(t.params, t.results, lambdaCost)
}

// literalFunc is a function literal.
func (b *body) literalFunc(params, results []*typ, limit int) *piece {
	outer := *b
	defer func() {
		scopes, room := b.scopes, b.room
		*b = outer
		b.scopes, b.room = scopes[:len(outer.scopes)], room
	}()
	b.level++
	b.nested++
	b.weight, b.cost, b.limit, b.again, b.loops = 1, 0, limit, 0, nil
	b.routine = &routine{params: params, results: results}
	b.open()
	head := b.signature(params, results)
	return seq("func", head, " {\n", b.statementsHere(2), b.finalReturn(), "}")
}

// closure declares a function that may be called from now on.
func (b *body) closure() *piece {
	t := pick(b.c, b.lambdas...)
	value := b.lambda(t)
	v := b.declare(&variable{name: b.fresh("f"), t: t, steady: true, fixed: true})
	return seq(v.name, " := ", value, "\n_ = ", v.name)
}

// counters are closures made in a loop: each has a variable of its own, and the loop's of its
// round.
func (b *body) counters() *piece {
	t := pick(b.c, b.integers...)
	n := 1 + b.c.IntN(4)
	i, sum := b.steady("i", b.int), b.steady("v", t)
	fs, x := b.fresh("fs"), b.fresh("x")
	var start, step *piece
	b.repeated(n, func() {
		start = b.expr(t, manner{}, 1)
		b.open()
		b.declare(i)
		step = b.expr(t, manner{steady: true}, 2)
		b.close()
	})
	b.declare(sum)
	return seq("var ", fs, " []func() ", t.name, "\nfor ", i.name, " := 0; ", i.name, " < ", n, "; ", i.name, "++ {\n", x, " := ", start, "\n",
		fs, " = append(", fs, ", func() ", t.name, " {\n", uses(i), x, " += ", step, "\nreturn ", x, "\n})\n}\nvar ", sum.name, " ", t.name,
		"\nfor range 2 {\nfor _, f := range ", fs, " {\n", sum.name, " = ", sum.name, "*3 + f()\n}\n}\n", uses(sum))
}

// methodValue takes a method with its receiver, and calls it later.
func (b *body) methodValue() *piece {
	if b.pure {
		return nil
	}
	p, ok := b.some(func(p place) bool { return !p.risky && len(p.t.methods) > 0 })
	if !ok {
		return nil
	}
	r := pick(b.c, p.t.methods...)
	if !b.spend(r.cost) {
		return nil
	}
	f := b.fresh("f")
	set := &piece{}
	if !p.fixed {
		set = optional(p.text(manner{}), " = ", b.expr(p.t, manner{}, 1), "\n")
	}
	return seq(f, " := ", p.text(manner{}), ".", r.name, "\n", set, pick(b.c, "", "defer "), f, "(", b.arguments(r.params, manner{}), ")")
}
