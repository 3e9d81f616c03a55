package gen

// inline writes statements in a function literal that runs once, here.
func (b *body) inline(n int) *piece {
	outer := *b
	defer func() {
		b.level, b.routine, b.loops, b.results = outer.level, outer.routine, outer.loops, outer.results
	}()
	b.level++
	b.routine, b.loops, b.results = &routine{}, nil, nil
	return b.block(n)
}

// rescue is a deferred function that recovers and shows from what. In a pure function
// it shows nothing.
func (b *body) rescue() *piece {
	if b.pure {
		return seq("defer func() { recover() }()\n")
	}
	b.tags++
	return seq("defer func() { show(", b.tags, ", recover()) }()\n")
}

// guarded runs statements whose panics end there.
func (b *body) guarded() *piece {
	rescue := b.rescue()
	inner := b.inline(b.small())
	return seq("func() {\n", rescue, inner, "}()").or(seq("{\n", inner, "}"))
}

// deferring defers a call.
func (b *body) deferring() *piece {
	if !b.spend(3) {
		return nil
	}
	switch b.c.IntN(5) {
	case 0:
		if c, ok := b.someCall(func(call) bool { return true }); ok {
			return seq("defer ", c.text(manner{calls: true}))
		}
	case 1:
		if !b.pure && b.spend(20) {
			b.tags++
			return seq("defer fmt.Println(", b.tags, ", ", b.variable(pick(b.c, b.printed...), manner{}), ")")
		}
	case 2, 3:
		return seq("defer func() {\n", b.recovering(), "}()")
	}
	return seq("defer func() {\n", b.inline(b.small()), "}()")
}

// recovering is the inside of a deferred function that recovers, and what it does then.
func (b *body) recovering() *piece {
	show := &piece{}
	r := b.fresh("r")
	if !b.pure {
		b.tags++
		show = optional("show(", b.tags, ", ", r, ")\n")
	}
	then := &piece{}
	switch b.c.IntN(4) {
	case 0:
		if len(b.results) > 0 {
			v := pick(b.c, b.results...)
			then = optional(v.name, " = ", b.expr(v.t, manner{}, 1), "\n")
		}
	case 1:
		then = optional("panic(", r, ")\n")
	case 2:
		then = optional("panic(", b.thrown(), ")\n")
	case 3:
		then = b.inline(1)
	}
	return seq("if ", r, " := recover(); ", r, " != nil {\n", show, then, "}\n")
}

// thrown is the value of a panic.
func (b *body) thrown() *piece {
	if chance(b.c, 4) {
		return pick(b.c, seq(`errors.New("e")`), seq(`fmt.Errorf("wrapped: %w", errors.New("e"))`), seq("nil"), seq(`"text"`))
	}
	return b.expr(pick(b.c, b.held...), manner{}, 2)
}

func (b *body) panicking() *piece {
	if b.exits && chance(b.c, 3) {
		return seq("if ", b.operand(b.bool, manner{}, 2), " {\nruntime.Goexit()\n}")
	}
	return seq("if ", b.operand(b.bool, manner{}, 2), " {\npanic(", b.thrown(), ")\n}")
}

// asserting looks into an interface.
func (b *body) asserting() *piece {
	p, ok := b.some(func(p place) bool { return p.t.kind == iface && !p.risky })
	if !ok {
		return nil
	}
	from := b.heldBy(p.t)
	if len(from) == 0 {
		return nil
	}
	t := pick(b.c, from...)
	v := &variable{name: b.fresh("v"), t: t, steady: true}
	x := seq(p.text(manner{}), ".(", t.name, ")")
	b.declare(v)
	if chance(b.c, 2) {
		return seq(v.name, " := ", x, "\n_ = ", v.name)
	}
	ok2 := b.declare(&variable{name: b.fresh("ok"), t: b.bool, steady: true})
	return seq(v.name, ", ", ok2.name, " := ", x, "\n_, _ = ", v.name, ", ", ok2.name)
}

func (b *body) typeSwitch() *piece {
	p, ok := b.some(func(p place) bool { return p.t.kind == iface && !p.risky })
	if !ok {
		return nil
	}
	from := b.heldBy(p.t)
	head := p.text(manner{})
	name := b.fresh("x")
	var clauses []*piece
	seen := map[*typ]bool{}
	for range 1 + b.c.IntN(4) {
		if len(from) == 0 {
			break
		}
		t := pick(b.c, from...)
		if seen[t] {
			continue
		}
		seen[t] = true
		b.open()
		v := b.declare(&variable{name: name, t: t, steady: !chance(b.c, 4)})
		clauses = append(clauses, seq("case ", t.name, ":\n", uses(v), b.statementsHere(b.small())).or(&piece{}))
		b.close()
	}
	if chance(b.c, 2) {
		clauses = append(clauses, seq("case nil:\n", b.block(1)).or(&piece{}))
	}
	return seq("switch ", name, " := ", head, ".(type) {\n", clauses, "default:\n_ = ", name, "\n", b.block(1), "}")
}
