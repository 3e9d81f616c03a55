package gen

// routine is a function or method that was written.
type routine struct {
	name            string
	recv            *typ // of a method: the type, or the pointer to it
	params, results []*typ
	cost            int
	pure            bool
	fuel            bool // its first parameter says how deep it recurses
}

// fuel is the name of the parameter that says how deep a function recurses.
const fuel = "fuel"

// Bounds of what functions cost, so that every program ends soon.
const (
	lambdaCost  = 40
	methodCost  = 60
	routineCost = 2000
	mainCost    = 20000
	maxFuel     = 4
)

// call is something that can be called here.
type call struct {
	cost    int
	results []*typ
	text    func(m manner) *piece
}

// callFor is a call whose one result has the type; nil if there is none.
func (b *body) callFor(t *typ) *piece {
	c, ok := b.someCall(func(c call) bool { return len(c.results) == 1 && c.results[0] == t })
	if !ok {
		return nil
	}
	return c.text(manner{calls: true}).or(b.made(t))
}

// someCall is one of the calls that suit and that the function can afford.
func (b *body) someCall(suits func(call) bool) (call, bool) {
	var list []call
	for _, c := range b.callables() {
		if suits(c) && b.cost+c.cost*b.weight <= b.limit {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return call{}, false
	}
	c := pick(b.c, list...)
	return c, b.spend(c.cost)
}

func (b *body) callables() (list []call) {
	for _, r := range b.funcs {
		if r.recv == nil && (r.pure || !b.pure) {
			list = append(list, call{r.cost, r.results, func(m manner) *piece { return seq(r.name, "(", b.args(r, m), ")") }})
		}
	}
	for _, p := range b.places(func(p place) bool { return p.fits(manner{steady: true}) && p.t.kind != slice }) {
		list = b.callsOn(p, list)
	}
	if b.again > 0 && b.weight == 1 {
		list = append(list, b.itself())
	}
	return list
}

// callsOn lists the calls of a value and of its methods.
func (b *body) callsOn(p place, list []call) []call {
	t := p.t
	calm := manner{steady: true}
	switch {
	case t.kind == function:
		list = append(list, call{lambdaCost, t.results, func(m manner) *piece {
			return seq(p.text(calm), "(", b.arguments(t.params, m), ")")
		}})
	case t.kind == iface && t.method != "" && b.dynamic && !b.pure:
		list = append(list, call{methodCost, t.results, func(manner) *piece {
			return seq(p.text(calm), ".", t.method, "(", b.arguments(t.params, calm), ")")
		}})
	}
	for _, r := range t.methods {
		if !b.pure && (r.recv == t || t.kind == pointer) {
			list = append(list, call{r.cost, r.results, func(manner) *piece {
				x, args := p.text(calm), b.arguments(r.params, calm)
				if r.recv == t && chance(b.c, 4) {
					return seq("(", t.name, ").", r.name, "(", x, ", ", args, ")") // every method has parameters
				}
				return seq(x, ".", r.name, "(", args, ")")
			}})
		}
	}
	return list
}

func (b *body) args(r *routine, m manner) *piece {
	params := r.params
	if !r.fuel {
		return b.arguments(params, m)
	}
	rest := b.arguments(params[1:], m)
	return seq(b.c.IntN(maxFuel+1), ", ", rest)
}

func (b *body) arguments(params []*typ, m manner) *piece {
	var values []*piece
	for _, t := range params {
		values = append(values, b.expr(t, m, 1))
	}
	return list(values)
}

// itself is a call of the function that is being written.
func (b *body) itself() call {
	r := b.self
	return call{0, r.results, func(manner) *piece {
		b.again--
		return seq(r.name, "(", fuel, "-1, ", b.arguments(r.params[1:], manner{steady: true}), ")")
	}}
}

// signature declares the parameters and results of the function, which is b.routine.
func (b *body) signature(params, results []*typ) *piece {
	var in []*piece
	for i, t := range params {
		v := b.declare(&variable{name: b.fresh("a"), t: t, steady: !chance(b.c, 4)})
		if i == 0 && b.routine.fuel {
			v.name, v.steady, v.fixed = fuel, true, true
		}
		in = append(in, seq(v.name, " ", t.name))
	}
	b.results = nil
	head := seq("(", list(in), ")")
	if len(results) == 0 {
		return head
	}
	named := chance(b.c, 3)
	var out []*piece
	for _, t := range results {
		if named {
			v := b.declare(&variable{name: b.fresh("r"), t: t})
			b.results = append(b.results, v)
			out = append(out, seq(v.name, " ", t.name))
		} else {
			out = append(out, seq(t.name))
		}
	}
	return seq(head, " (", list(out), ")")
}

// finalReturn ends a function.
func (b *body) finalReturn() *piece {
	if len(b.routine.results) == 0 {
		return &piece{}
	}
	return seq("return ", b.returned(), "\n")
}

func (b *body) returned() *piece {
	if b.results != nil && chance(b.c, 2) {
		return &piece{}
	}
	m := b.someManner()
	var values []*piece
	for _, t := range b.routine.results {
		values = append(values, b.expr(t, m, deep-1))
	}
	return list(values)
}

// someManner is how an expression that stands alone behaves.
func (b *body) someManner() manner {
	return pick(b.c, manner{}, once(), manner{calls: true})
}
