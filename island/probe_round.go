package island

// later has the owner look at a question or an answer when it has seen everything that was
// sent before.
func (i *Island) later(look func()) error {
	return i.send(letter{probe: func() { i.probes.later = append(i.probes.later, look) }})
}

// engage begins the island's part in a round: it asks whom it depends on.
func (i *Island) engage(by Address, number uint64, engager *Island) {
	f, upon, stuck := i.stuck()
	if !stuck {
		return // silence: it can go on
	}
	p := &i.probes
	if p.latest == nil {
		p.latest = map[Address]*round{}
	}
	r := &round{by: by, number: number, engager: engager, since: i.core.Transitions(), open: len(upon), findings: []Finding{f}}
	p.latest[by] = r
	for _, o := range upon {
		_ = o.later(func() { o.question(by, number, i) }) // refused: it lives, or leaves and will say so
	}
	i.conclude(r)
}

// question is asked by an island that depends on this one.
func (i *Island) question(by Address, number uint64, from *Island) {
	r := i.probes.latest[by]
	switch {
	case r == nil || r.number < number:
		i.engage(by, number, from)
	case r.number == number && r.since == i.core.Transitions():
		i.answer(from, r, nil)
	}
}

// answered is an answer to a question of this island. It counts if nothing has happened
// here since the question.
func (i *Island) answered(by Address, number uint64, findings []Finding) {
	r := i.probes.latest[by]
	if r == nil || r.number != number || r.since != i.core.Transitions() {
		return
	}
	r.open--
	r.findings = append(r.findings, findings...)
	i.conclude(r)
}

// conclude answers for this island, or gives the verdict, when all its questions are
// answered.
func (i *Island) conclude(r *round) {
	switch {
	case r.open > 0:
	case r.engager != nil:
		i.answer(r.engager, r, r.findings)
	default:
		i.declare(r.findings)
	}
}

func (i *Island) answer(to *Island, r *round, findings []Finding) {
	_ = to.later(func() { to.answered(r.by, r.number, findings) })
}

// declare tells everybody in the deadlock. Nothing can have changed: none of them can go on.
func (i *Island) declare(findings []Finding) {
	i.reg.convict(newDeadlockError(findings))
	for _, f := range findings {
		if o := f.isle; o != i {
			_ = o.send(letter{probe: o.sever})
		}
	}
	i.sever()
}

// sever makes the scheduler's verdict Deadlock: the ports are no hope any more.
func (i *Island) sever() { i.probes.severed = i.reg.conviction(i) }
