package gen

import "fmt"

// concurrent writes statements with goroutines. Goroutines that run at the same time share
// nothing (apart), and their results are added up or stored in separate places; a goroutine
// that is joined at once may do anything.
func (b *body) concurrent() *piece {
	if b.pure || b.nested >= maxNesting || !b.spend(80) {
		return nil
	}
	return pick(b.c, (*body).fanIn, (*body).ownPlaces, (*body).locked, (*body).pipeline, (*body).merged,
		(*body).oneReady, (*body).oneReady, (*body).pingPong, (*body).untilQuit, (*body).alone, (*body).alone, (*body).once, (*body).timed)(b)
}

// apart is an expression of what a goroutine has got and of pure functions.
func (b *body) apart(t *typ, given ...*variable) (e *piece) {
	outer := *b
	b.fenced(func() {
		b.pure, b.again = true, 0
		for _, v := range given {
			b.declare(v)
		}
		e = b.expr(t, b.someManner(), deep)
	})
	scopes, cost := b.scopes, b.cost
	*b = outer
	b.scopes, b.cost = scopes, cost
	return e
}

func (b *body) steady(prefix string, t *typ) *variable {
	return &variable{name: b.fresh(prefix), t: t, steady: true, fixed: true}
}

// capacity is that of a channel, often none.
func (b *body) capacity() string { return pick(b.c, "", "", ", 1", ", 2", ", 7") }

// fanIn adds up what goroutines send.
func (b *body) fanIn() *piece {
	t, from := pick(b.c, b.integers...), pick(b.c, b.handed...)
	x, sum, ch := b.steady("x", from), b.steady("v", t), b.fresh("c")
	n := 1 + b.c.IntN(4)
	given := b.expr(from, manner{}, 2)
	var value *piece
	b.repeated(n, func() { value = b.apart(t, x) })
	b.declare(sum)
	rescue := seq("defer func() {\nif r := recover(); r != nil {\n", ch, " <- ", t.name, "(len(fmt.Sprint(r)))\n}\n}()\n")
	return seq(ch, " := make(chan ", t.name, b.capacity(), ")\nfor range ", n, " {\ngo func(", x.name, " ", from.name, ") {\n",
		rescue, uses(x), ch, " <- ", value, "\n}(", given, ")\n}\nvar ", sum.name, " ", t.name, "\nfor range ", n, " {\n", sum.name, " += <-", ch, "\n}\n", uses(sum))
}

// ownPlaces has each goroutine write to a place of its own.
func (b *body) ownPlaces() *piece {
	t := pick(b.c, b.handed...)
	n := 1 + b.c.IntN(4)
	at := arrayOf(n, t)
	i, out, wg := b.steady("i", b.int), b.steady("v", at), b.fresh("wg")
	var value *piece
	b.repeated(n, func() { value = b.apart(t, i) })
	b.declare(out)
	work := seq(uses(i), "defer func() { recover() }()\n", out.name, "[", i.name, "] = ", value, "\n")
	start := pick(b.c, seq(wg, ".Go(func() {\n", work, "})"), seq(wg, ".Add(1)\ngo func() {\ndefer ", wg, ".Done()\n", work, "}()"))
	return seq("var ", wg, " sync.WaitGroup\nvar ", out.name, " ", at.name, "\nfor ", i.name, " := range ", n, " {\n", start, "\n}\n", wg, ".Wait()\n", uses(out))
}

// locked has goroutines add to a sum in turn.
func (b *body) locked() *piece {
	t := pick(b.c, b.integers...)
	n := 1 + b.c.IntN(4)
	i, sum, mu, wg := b.steady("i", b.int), b.steady("v", t), b.fresh("mu"), b.fresh("wg")
	var value *piece
	b.repeated(n, func() { value = b.apart(t, i) })
	b.declare(sum)
	lock := pick(b.c, "Mutex", "RWMutex")
	return seq("var ", mu, " sync.", lock, "\nvar ", wg, " sync.WaitGroup\nvar ", sum.name, " ", t.name, "\nfor ", i.name, " := range ", n,
		" {\n", uses(i), wg, ".Add(1)\ngo func() {\ndefer ", wg, ".Done()\n", mu, ".Lock()\ndefer ", mu, ".Unlock()\ndefer func() { recover() }()\n",
		sum.name, " += ", value, "\n}()\n}\n", wg, ".Wait()\n", uses(sum))
}

// pipeline sends numbers through goroutines, and does something with each.
func (b *body) pipeline() *piece {
	t, u := pick(b.c, b.integers...), pick(b.c, b.handed...)
	n := 1 + b.c.IntN(4)
	in, out := b.fresh("c"), b.fresh("c")
	x, i, y := b.steady("x", t), b.steady("i", b.int), b.steady("y", u)
	var first, second *piece
	b.repeated(n, func() { first, second = b.apart(t, i), b.apart(u, x) })
	source := seq("go func() {\ndefer close(", in, ")\ndefer func() { recover() }()\nfor ", i.name, " := range ", n, " {\n", uses(i), in, " <- ", first, "\n}\n}()\n")
	stage := seq("go func() {\ndefer close(", out, ")\nfor ", x.name, " := range ", in, " {\nfunc() {\ndefer func() { recover() }()\n", uses(x), out, " <- ", second, "\n}()\n}\n}()\n")
	b.open()
	defer b.close()
	b.declare(y)
	return seq(in, " := make(chan ", t.name, b.capacity(), ")\n", out, " := make(chan ", u.name, b.capacity(), ")\n", source, stage,
		b.loopBody(seq("for ", y.name, " := range ", out), n, y))
}

// merged adds up what comes from two goroutines, in any order.
func (b *body) merged() *piece {
	t := pick(b.c, b.integers...)
	sum := b.steady("v", t)
	var channels, sources, cases []*piece
	names := []string{b.fresh("c"), b.fresh("c")}
	for _, ch := range names {
		i, x := b.steady("i", b.int), b.fresh("x")
		n := 1 + b.c.IntN(3)
		var value *piece
		b.repeated(n, func() { value = b.apart(t, i) })
		channels = append(channels, seq(ch, " := make(chan ", t.name, b.capacity(), ")\n"))
		sources = append(sources, seq("go func() {\ndefer close(", ch, ")\ndefer func() { recover() }()\nfor ", i.name, " := range ", n, " {\n", uses(i), ch, " <- ", value, "\n}\n}()\n"))
		cases = append(cases, seq("case ", x, ", ok := <-", ch, ":\nif !ok {\n", ch, " = nil\ncontinue\n}\n", sum.name, " += ", x, "\n"))
	}
	b.declare(sum)
	return seq(channels, sources, "var ", sum.name, " ", t.name, "\nfor ", names[0], " != nil || ", names[1], " != nil {\nselect {\n", cases, "}\n}\n", uses(sum))
}

// pingPong has two goroutines that wait for each other in turn, so that both may print.
func (b *body) pingPong() *piece {
	t := pick(b.c, b.integers...)
	ping, pong := b.fresh("c"), b.fresh("c")
	n := 1 + b.c.IntN(3)
	x, i := b.steady("x", t), b.steady("i", b.int)
	var answer, ask *piece
	b.repeated(n, func() {
		answer = b.apart(t, x)
		b.open()
		b.declare(i)
		ask = b.expr(t, manner{}, 1)
		b.close()
	})
	b.tags += 2
	safe := seq("func() (y ", t.name, ") {\ndefer func() { show(", b.tags-1, ", recover()) }()\nreturn ", answer, "\n}()")
	return seq(ping, ", ", pong, " := make(chan ", t.name, "), make(chan ", t.name, ")\ngo func() {\ndefer close(", pong, ")\nfor ", x.name, " := range ", ping,
		" {\n", uses(x), optional("fmt.Println(", b.tags, ", ", x.name, ")\n"), pong, " <- ", safe, "\n}\n}()\nfor ", i.name, " := range ", n, " {\n", uses(i), ping, " <- ", ask,
		"\nfmt.Println(", b.tags, ", <-", pong, ")\n}\nclose(", ping, ")\n<-", pong)
}

// untilQuit takes some of what a goroutine would send forever, and ends it.
func (b *body) untilQuit() *piece {
	t := pick(b.c, b.integers...)
	out, quit, done := b.fresh("c"), b.fresh("quit"), b.fresh("done")
	x, sum := b.fresh("x"), b.steady("v", t)
	n := b.c.IntN(4)
	b.declare(sum)
	return seq(out, ", ", quit, ", ", done, " := make(chan ", t.name, "), make(chan struct{}), make(chan bool, 1)\ngo func() {\n", x, " := ", t.name, "(", b.c.IntN(9), ")\nfor {\nselect {\ncase ",
		out, " <- ", x, ":\n", x, " = ", x, "*3 + 1\ncase <-", quit, ":\n", done, " <- true\nreturn\n}\n}\n}()\nvar ", sum.name, " ", t.name,
		"\nfor range ", n, " {\n", sum.name, " ^= <-", out, "\n}\nclose(", quit, ")\n<-", done, "\n", uses(sum))
}

// alone is a goroutine for which the one that starts it waits: it may do anything.
func (b *body) alone() *piece {
	done, before := b.fresh("done"), b.exits
	b.exits = true
	rescue := b.rescue()
	inner := b.inline(b.small())
	b.exits = before
	wait := pick(b.c,
		seq(done, " := make(chan struct{})\ngo func() {\ndefer close(", done, ")\n", rescue, inner, "}()\n<-", done),
		seq("var ", done, " sync.WaitGroup\n", done, ".Go(func() {\n", rescue, inner, "})\n", done, ".Wait()"))
	return wait.or(seq("{\n", inner, "}"))
}

// once runs statements the first of several times.
func (b *body) once() *piece {
	name := b.fresh("once")
	inner := b.inline(1)
	if chance(b.c, 2) {
		return seq(name, " := sync.OnceFunc(func() {\n", inner, "})\nfor range 2 {\n", name, "()\n}")
	}
	return seq("var ", name, " sync.Once\nfor range 2 {\n", name, ".Do(func() {\n", inner, "})\n}")
}

// timed waits for a timer or for a channel of which only one can be ready.
func (b *body) timed() *piece {
	ch := b.fresh("c")
	then := b.block(1)
	if chance(b.c, 2) {
		return seq(ch, " := make(chan int, 1)\n", ch, " <- 1\nselect {\ncase <-", ch, ":\n", then, "case <-time.After(time.Hour):\nfmt.Println(\"late\")\n}")
	}
	return seq("var ", ch, " chan int\nselect {\ncase <-", ch, ":\nfmt.Println(\"never\")\ncase <-time.After(1):\n", then, "}")
}

// oneReady is a select of which at most one channel is ready.
func (b *body) oneReady() *piece {
	t := pick(b.c, b.handed...)
	ch, full, empty := b.fresh("c"), b.fresh("c"), b.fresh("c")
	x := b.steady("x", t)
	live := seq("case ", ch, " <- ", b.expr(t, manner{steady: true}, 1), ":\n", b.block(1))
	b.open()
	b.declare(x)
	other := seq("case ", x.name, ", ok := <-", ch, ":\n_ = ok\n", uses(x), b.statementsHere(b.small()))
	b.close()
	var dead []*piece
	m := b.someManner()
	for range b.c.IntN(3) {
		dead = append(dead, pick(b.c, optional("case ", full, " <- ", b.expr(t, m, 1), ":\nfmt.Println(\"full\")\n"),
			optional("case <-", empty, ":\nfmt.Println(\"empty\")\n"), optional("case y := <-(chan int)(nil):\nfmt.Println(\"nil\", y)\n")))
	}
	loop := seq("for i := range 4 {\nswitch {\ncase i%2 == 0:\nselect {\n", dead, live, "}\ndefault:\nselect {\n", other, dead, "default:\nfmt.Println(\"none\")\n}\n}\n}")
	return seq(fmt.Sprintf("%s, %s, %s := make(chan %s, 1), make(chan %s), make(chan bool)\n_, _ = %s, %s\n", ch, full, empty, t.name, t.name, full, empty), loop)
}
