package gen

// gen is a program as it is written: its types, and what was declared so far.
type gen struct {
	c      Choices
	prefix string // of the names at the top
	names  int
	tags   int // numbers of what is printed, so that a difference can be found

	bool, int, rune, string *typ

	integers, numbers []*typ
	signed, unsigned  []*typ
	ordered, equals   []*typ // those with <, and those with ==
	printed           []*typ // those that may be printed
	handed            []*typ // those that goroutines may be handed
	held              []*typ // those that are put into interfaces
	types             []*typ // those of variables, the frequent ones several times
	lists, lambdas    []*typ

	known     map[string]*typ
	funcs     []*routine
	globals   []*variable
	constants []string
	decls     []*piece
}

func (g *gen) say(parts ...any) { g.decls = append(g.decls, optional(append(parts, "\n")...)) }

// the makes two types of one name one.
func (g *gen) the(t *typ) *typ {
	if seen := g.known[t.name]; seen != nil {
		return seen
	}
	g.known[t.name] = t
	return t
}

// basics chooses the basic types, of which a program has some.
func (g *gen) basics() {
	g.bool = g.the(&typ{kind: boolean, name: "bool"})
	g.int = g.the(intType(0, true))
	g.rune = g.the(intType(32, true))
	g.string = g.the(&typ{kind: text, name: "string"})
	g.unsigned = []*typ{g.the(intType(pick(g.c, 8, 16, 32, 64, 0), false))}
	g.integers = []*typ{g.int, g.unsigned[0], g.the(intType(pick(g.c, 8, 16, 64), true)), g.rune}
	g.signed = []*typ{g.int, g.integers[2], g.rune}
	fractions := g.the(&typ{kind: float, name: pick(g.c, "float64", "float32")})
	g.numbers = append([]*typ{fractions}, g.integers...)
	g.ordered = append([]*typ{g.string}, g.numbers...)
	g.equals = append([]*typ{g.bool}, g.ordered...)
}

// composites chooses the types made of others, and declares those with names.
func (g *gen) composites() {
	count := g.named(&typ{kind: integer, bits: g.integers[2].bits, signed: true}, g.integers[2].name)
	first := g.structure(g.equals)
	elems := append([]*typ{first, count}, g.equals...)
	arr, pair := g.the(arrayOf(2+g.c.IntN(3), pick(g.c, elems...))), g.the(arrayOf(2, pick(g.c, g.numbers...)))
	list, numbers := g.the(sliceOf(pick(g.c, elems...))), g.the(sliceOf(pick(g.c, g.numbers...)))
	table := g.the(mapOf(pick(g.c, g.int, g.string, g.bool, first, pair), pick(g.c, g.int, g.string, numbers, first)))
	link := g.the(pointerTo(first))
	anything := g.the(&typ{kind: iface, name: "any"})
	speaker := g.speaker()
	second := g.structure([]*typ{list, table, link, anything, speaker, arr, g.int, g.string, g.numbers[0]}, pick(g.c, first, link))
	plain := append([]*typ{first, count, arr, pair}, g.equals...)
	g.printed, g.handed, g.held = plain, plain, append([]*typ{link}, plain...)
	g.lists = []*typ{list, numbers}
	g.types = append(g.types, g.equals...)
	g.types = append(g.types, plain...)
	g.types = append(g.types, list, list, numbers, table, table, link, anything, speaker, second, g.the(pointerTo(second)), g.the(sliceOf(second)))
	g.lambdas = []*typ{g.lambdaType(), g.lambdaType()}
	g.global()
	g.methods(speaker, first, link, count, second)
}

// named declares a type with a name of its own.
func (g *gen) named(t *typ, as ...any) *typ {
	g.names++
	t.named = true
	t.name = seq(g.prefix, "T", g.names).String()
	g.say("type ", t.name, " ", seq(as...))
	return g.the(t)
}

func (g *gen) structure(of []*typ, embedded ...*typ) *typ {
	t := &typ{kind: structure}
	var lines []*piece
	for _, e := range embedded {
		name := e.name
		if e.kind == pointer {
			name = e.elem.name
		}
		t.fields = append(t.fields, field{name, e, true})
		lines = append(lines, seq(e.name, "\n"))
	}
	for range 2 + g.c.IntN(3) {
		g.names++
		f := field{name: seq(pick(g.c, "f", "F"), g.names).String(), t: pick(g.c, of...)}
		t.fields = append(t.fields, f)
		lines = append(lines, seq(f.name, " ", f.t.name, "\n"))
	}
	return g.named(t, "struct {\n", lines, "}")
}

// speaker is an interface.
func (g *gen) speaker() *typ {
	t := &typ{kind: iface, params: []*typ{pick(g.c, g.equals...)}, results: []*typ{pick(g.c, g.equals...)}}
	g.names++
	t.method = seq("Say", g.names).String()
	return g.named(t, "interface { ", t.method, "(", t.params[0].name, ") ", t.results[0].name, " }")
}

func (g *gen) lambdaType() *typ {
	t := &typ{kind: function, params: []*typ{pick(g.c, g.equals...)}, results: []*typ{pick(g.c, g.equals...)}}
	t.name = "func(" + t.params[0].name + ") " + t.results[0].name
	return g.the(t)
}

// methods gives the types their methods: those that the interface wants, and others.
func (g *gen) methods(speaker, first, link, count, second *typ) {
	owner := g.the(pointerTo(second))
	said := func(t *typ) { g.method(t, speaker.method, speaker.params, speaker.results) }
	if chance(g.c, 2) {
		g.say("func (x ", count.name, ") String() string { return \"N\" + strconv.Itoa(int(x)) }")
	} else {
		g.say("func (x ", count.name, ") Error() string { return fmt.Sprint(\"E\", int(x)) }")
	}
	said(count)
	said(first)
	said(owner)
	speaker.implementers = []*typ{count, first, link, owner}
	for _, t := range []*typ{first, pick(g.c, link, second, owner)} {
		g.names++
		name := seq("M", g.names).String()
		g.method(t, name, []*typ{pick(g.c, g.types...)}, []*typ{pick(g.c, g.equals...)})
	}
	link.methods = append(link.methods, first.methods...)
	second.methods = append(second.methods, first.methods[1:]...) // promoted; the first is hidden
	owner.methods = append(owner.methods, second.methods...)
}

func (g *gen) method(t *typ, name string, params, results []*typ) {
	r := &routine{name: name, recv: t, params: params, results: results}
	g.write(r, methodCost, 2)
	t.methods = append(t.methods, r)
}

// write writes a function or a method.
func (g *gen) write(r *routine, limit, room int) {
	b := g.body(r, limit, room)
	recv := &piece{}
	if r.recv != nil {
		v := b.declare(&variable{name: b.fresh("x"), t: r.recv, steady: !chance(g.c, 3)})
		recv = seq("(", v.name, " ", r.recv.name, ") ")
	}
	head := b.signature(r.params, r.results)
	first := &piece{}
	if r.fuel {
		b.again, b.self = 2, r
		zeros := []*piece{}
		for _, t := range r.results {
			zeros = append(zeros, seq(zero(t)))
		}
		first = seq("if ", fuel, " <= 0 {\nreturn ", list(zeros), "\n}\n")
	}
	g.say("func ", recv, r.name, head, " {\n", first, b.statementsHere(4), b.finalReturn(), "}")
	r.cost = b.cost + 1
	if r.fuel {
		r.cost <<= maxFuel + 1
	}
}

func (g *gen) body(r *routine, limit, room int) *body {
	b := &body{gen: g, routine: r, weight: 1, limit: limit, room: room, pure: r.pure, dynamic: r.recv == nil}
	b.open()
	return b
}
