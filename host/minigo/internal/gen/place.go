package gen

// manner is how an expression may behave.
type manner struct {
	calls  bool  // it may call what has effects, and reads only what no call changes
	steady bool  // it reads only what no call changes
	risk   *bool // the one fault that it may have, until it is taken; nil: none
}

// once is a manner with one fault: Go leaves open which of two would be first.
func once() manner {
	left := true
	return manner{risk: &left}
}

// faults reports whether there may be a fault.
func (m manner) faults() bool { return m.risk != nil && *m.risk }

// fault takes it.
func (m manner) fault() { *m.risk = false }

func (m manner) calm() manner { return manner{steady: m.steady || m.calls} }

// place is where a value is: a variable or a part of one.
type place struct {
	t       *typ
	text    func(m manner) *piece
	risky   bool // to look can panic
	shared  bool // a call may change it
	fixed   bool // it cannot be set
	address bool // & may be taken
	owned   bool // it may not be copied, nor be cut
}

func (p place) fits(m manner) bool {
	return !(p.risky && !m.faults()) && !(p.shared && (m.steady || m.calls))
}

// read is the text of a place that is looked at.
func (p place) read(m manner) *piece {
	if p.risky {
		m.fault()
	}
	return p.text(m)
}

// reach is how many steps a place is from its variable.
const reach = 3

// places lists the places that suit, in the order of the variables.
func (b *body) places(suits func(place) bool) (list []place) {
	for _, v := range b.visible() {
		own := v.level == b.level && v.steady
		p := place{t: v.t, shared: !v.steady, fixed: v.fixed || v.steady && !own, address: !v.steady && !v.fixed, owned: v.owned}
		p.text = func(manner) *piece { return seq(v.name) }
		list = b.collect(p, reach, suits, list)
	}
	return list
}

func (b *body) collect(p place, steps int, suits func(place) bool, list []place) []place {
	if !p.owned && suits(p) {
		list = append(list, p)
	}
	if steps == 0 {
		return list
	}
	for _, q := range b.within(p) {
		list = b.collect(q, steps-1, suits, list)
	}
	return list
}

// within lists the parts of a place.
func (b *body) within(p place) []place {
	switch t := p.t; t.kind {
	case structure:
		return b.fieldsOf(p, t)
	case pointer:
		q := place{t: t.elem, risky: true, shared: true, address: true}
		q.text = func(m manner) *piece { return seq("(*", p.text(m), ")") }
		if t.elem.kind != structure {
			return []place{q}
		}
		short := q
		short.text = p.text
		return append(b.fieldsOf(short, t.elem), q)
	case array:
		q := p
		q.t = t.elem
		q.text = func(m manner) *piece { return seq(p.text(m), "[", b.index(t.n, m), "]") }
		return []place{q}
	case slice:
		q := place{t: t.elem, risky: true, shared: true, address: !p.owned}
		q.text = func(m manner) *piece { return seq(p.text(m), "[", b.sliceIndex(p, m), "]") }
		return []place{q}
	case mapping:
		q := place{t: t.elem, risky: p.risky, shared: true, fixed: true}
		q.text = func(m manner) *piece { return seq(p.text(m.calm()), "[", b.key(t.key, m), "]") }
		return []place{q}
	}
	return nil
}

func (b *body) fieldsOf(p place, t *typ) (list []place) {
	for _, f := range t.fields {
		q := p
		q.t = f.t
		q.text = func(m manner) *piece { return seq(p.text(m), ".", f.name) }
		list = append(list, q)
		if f.embedded && f.t.kind == structure { // the promoted fields by their short names
			promoted := q
			promoted.text = p.text
			list = append(list, b.fieldsOf(promoted, f.t)...)
		}
	}
	return list
}

// index is an index into an array of n, which mostly is one of its elements.
func (b *body) index(n int, m manner) *piece {
	return b.atDepth(func() *piece {
		if m.faults() && chance(b.c, 5) {
			m.fault()
			return b.variable(b.int, m)
		}
		if chance(b.c, 2) {
			return seq(b.operand(pick(b.c, b.unsigned...), m.calm(), 1), "%", n)
		}
		return seq(b.c.IntN(n))
	}, func() *piece { return seq(b.c.IntN(n)) })
}

// sliceIndex is an index into a slice, which may well be outside. It is signed: in the words
// of minigo's panics every index is.
func (b *body) sliceIndex(p place, m manner) *piece {
	return b.atDepth(func() *piece {
		switch b.c.IntN(5) {
		case 2:
			return b.variable(pick(b.c, b.signed...), m.calm())
		case 3, 4:
			return seq(b.operand(pick(b.c, b.unsigned...), m.calm(), 1), "%", 1+b.c.IntN(4))
		case 1:
			if !p.risky {
				return seq("len(", p.text(m.calm()), ")-1")
			}
		}
		return seq(b.c.IntN(3))
	}, func() *piece { return seq(b.c.IntN(3)) })
}

// key is a key of a map.
func (b *body) key(t *typ, m manner) *piece {
	return b.atDepth(func() *piece { return b.expr(t, m.calm(), 1) }, func() *piece { return b.literal(t, m.calm(), 0) })
}

// atDepth writes what stands in brackets; what is in brackets there is simple.
func (b *body) atDepth(full, simple func() *piece) *piece {
	if b.brackets > 0 {
		return simple()
	}
	b.brackets++
	defer func() { b.brackets-- }()
	return full()
}

// some is one of the places that suit; ok is false if there is none.
func (b *body) some(suits func(place) bool) (p place, ok bool) {
	list := b.places(suits)
	if len(list) == 0 {
		return place{}, false
	}
	return pick(b.c, list...), true
}

// read is a place of a type to read.
func (b *body) read(t *typ, m manner) (place, bool) {
	return b.some(func(p place) bool { return p.t == t && p.fits(m) })
}
