package gen

// statement writes a statement, or gives nil if none of its sort is possible here.
type statement func(*body) *piece

// statements are the sorts, by how often they are tried.
func statements() []weighted[statement] {
	return []weighted[statement]{
		{12, (*body).declaration}, {12, (*body).assignment}, {5, (*body).printing}, {3, (*body).changes},
		{6, (*body).branch}, {6, (*body).looping}, {4, (*body).switching}, {3, (*body).typeSwitch},
		{8, (*body).calling}, {4, (*body).deferring}, {2, (*body).panicking}, {3, (*body).guarded},
		{3, (*body).closure}, {2, (*body).counters}, {3, (*body).methodValue}, {2, (*body).leaving}, {3, (*body).jumping}, {5, (*body).collection},
		{6, (*body).concurrent}, {2, (*body).asserting}, {2, (*body).grown}, {1, (*body).library}, {2, (*body).rangeMap}, {2, (*body).comparing},
	}
}

// maxNesting is how deep statements stand in one another.
const maxNesting = 4

// block writes up to n statements in a scope of its own; each can be left out.
func (b *body) block(n int) *piece {
	b.open()
	defer b.close()
	return b.statementsHere(n)
}

func (b *body) statementsHere(n int) *piece {
	b.nested++
	defer func() { b.nested-- }()
	var list []*piece
	for range 1 + b.c.IntN(n+1) {
		if b.room <= 0 || !b.spend(1) {
			break
		}
		b.room--
		if s := b.stmt(); s != nil {
			list = append(list, seq(s, "\n").or(&piece{}))
		}
	}
	return seq(list)
}

func (b *body) stmt() *piece {
	for range 5 {
		if s := pickWeighted(b.c, statements())(b); s != nil {
			return s
		}
	}
	return nil
}

// small is how many statements a nested block has at most.
func (b *body) small() int {
	if b.nested >= maxNesting {
		return 1
	}
	return 3
}

func (b *body) declaration() *piece {
	t := pick(b.c, b.types...)
	value := b.expr(t, b.someManner(), deep)
	v := &variable{name: b.newName(), t: t, steady: !chance(b.c, 3)}
	b.declare(v)
	form := pick(b.c, seq("var ", v.name, " ", t.name, " = ", value), seq(v.name, " := ", value), seq("var ", v.name, " = ", value))
	return seq(form, "\n_ = ", v.name)
}

// settable finds a place to assign to while a value of this manner is computed: what is
// called must not change which place it is.
func (b *body) settable(m manner, suits func(*typ) bool) (place, bool) {
	return b.some(func(p place) bool {
		return !p.fixed && suits(p.t) && p.t.kind != function && (!m.calls || !p.shared && !p.risky)
	})
}

func (b *body) assignment() *piece {
	m := b.someManner()
	p, ok := b.settable(m, func(t *typ) bool { return true })
	if !ok {
		return nil
	}
	if p.risky {
		m = m.calm()
	}
	left := p.text(m.calm())
	switch p.t.kind {
	case integer:
		if chance(b.c, 4) {
			return seq(left, pick(b.c, "++", "--"))
		}
		if chance(b.c, 2) {
			return seq(left, pick(b.c, " += ", " -= ", " *= ", " &= ", " |= ", " ^= ", " &^= "), b.expr(p.t, m, deep-1))
		}
	case float:
		if chance(b.c, 3) {
			return seq(left, pick(b.c, " += ", " -= "), b.variable(p.t, m))
		}
	}
	if chance(b.c, 6) {
		if s := b.swap(p); s != nil {
			return s
		}
	}
	return seq(left, " = ", b.expr(p.t, m, deep))
}

// swap assigns to two places at once, neither of which can fail to be there: whether the
// other one is set then is open.
func (b *body) swap(p place) *piece {
	q, ok := b.settable(manner{}, func(t *typ) bool { return true })
	if !ok || p.risky || q.risky {
		return nil
	}
	var m manner
	return seq(p.text(m), ", ", q.text(m), " = ", b.expr(p.t, m, 1), ", ", b.expr(q.t, m, 1))
}

// printing shows values. What prints cannot be pure.
func (b *body) printing() *piece {
	if b.pure || !b.spend(20) {
		return nil
	}
	b.tags++
	parts := []any{"fmt.Println(", b.tags}
	for range 1 + b.c.IntN(3) {
		p, ok := b.some(func(p place) bool { return p.t.shown() && !p.risky })
		if ok {
			parts = append(parts, seq(", ", p.text(manner{})).or(&piece{}))
		}
	}
	return seq(append(parts, ")")...)
}

// changes prints by one of the verbs.
func (b *body) changes() *piece {
	if b.pure || !b.spend(20) {
		return nil
	}
	p, ok := b.some(func(p place) bool { return p.t.shown() && !p.risky })
	if !ok {
		return nil
	}
	b.tags++
	verb := pick(b.c, "%v", "%T", "%+v", "%#v")
	switch p.t.kind {
	case integer:
		verb = pick(b.c, "%d", "%5d", "%x", "%#x", "%b", "%o", "%08b", "%+d", "%T", "%c", "%q", "%U")
	case float:
		verb = pick(b.c, "%g", "%.3f", "%e", "%8.2f", "%T")
	case text:
		verb = pick(b.c, "%q", "%x", "%10s", "%-10s|", "%.3s", "%T")
	case boolean:
		verb = pick(b.c, "%t", "%v", "%T", "%5t")
	}
	return seq(`fmt.Printf("%d `, verb, `\n", `, b.tags, ", ", p.text(manner{}), ")")
}

func (b *body) calling() *piece {
	c, ok := b.someCall(func(call) bool { return true })
	if !ok {
		return nil
	}
	text := c.text(manner{calls: true})
	if len(c.results) == 0 || chance(b.c, 6) {
		return text
	}
	var names, uses []*piece
	for _, t := range c.results {
		v := &variable{name: b.fresh("v"), t: t, steady: true}
		b.declare(v)
		names = append(names, seq(v.name))
		uses = append(uses, seq("\n_ = ", v.name))
	}
	return seq(list(names), " := ", text, uses)
}
