//go:build !invariants && !race

package probe_test

import "fmt"

func (c model) Step(w *state, m move) (outcome, bool) {
	a := &w.nodes[m.by]
	switch m.action {
	case stepping:
		return c.step(w, m.by, a)
	case holding:
		return "", w.moveHold(m.by, m.at)
	}
	if a.phase != runs || w.fault {
		return "", false
	}
	switch to := &w.nodes[m.at]; m.action {
	case holding:
		return "", false
	case blocking:
		if a.leaving || c.restless.has(m.by) {
			return "", false
		}
		switch {
		case a.in|a.mail != 0: // it receives
			a.in, a.mail = 0, 0
		case a.dependsOn&^a.done == 0:
			a.leaving = true
		default:
			a.gen++
			a.phase = top
		}
		return "", true
	case sending:
		if a.leaving || w.sends == 0 || !w.links[m.at].has(m.by) || (to.in | to.mail).has(m.by) {
			return "", false
		}
		w.sends--
		if c.commands {
			to.mail |= of(m.by)
			to.pending = true
			return "", true
		}
		to.in |= of(m.by)
	case closing:
		if !w.links[m.at].has(m.by) || !a.leaving && w.closes == 0 {
			return "", false
		}
		if !a.leaving {
			w.closes--
		}
		w.links[m.at] &^= of(m.by)
		to.done |= of(m.by)
	}
	a.phase, a.to = signaling, int8(m.at)
	if c.coarse || c.turns {
		return c.small(w, m.by, a)
	}
	return "", true
}

func (w *state) raise(i int8) {
	w.nodes[i].raised = true
	w.nodes[i].pending = true
}

// step is one of the owner's.
func (c model) step(w *state, i int, a *node) (o outcome, ok bool) {
	o, ok = c.small(w, i, a)
	for c.turns && ok && o == "" && a.phase > top && a.phase < sleeping {
		o, ok = c.small(w, i, a)
	}
	return o, ok
}

func (c model) small(w *state, i int, a *node) (outcome, bool) {
	if w.fault {
		return "", false
	}
	if a.publishing != 0 {
		return w.publish(a, of(a.publishing.first())), true
	}
	switch a.phase {
	case runs, gone:
		return "", false
	case signaling:
		w.raise(a.to)
		a.phase, a.to = runs, 0
	case sleeping:
		if !a.pending {
			return "", false
		}
		a.phase = top
	case top:
		a.pending, a.started, a.phase = false, false, collecting
		if a.published.gen != a.gen {
			a.published = claim{} // it has run
		}
		if a.mail != 0 {
			a.mail, a.ready = 0, true
			a.gen++
		}
		fallthrough
	case collecting:
		switch {
		case a.deadlocked:
			a.phase = parking
		case a.raised:
			a.raised, a.phase = false, handling
		case a.due || a.questions != [mostModelled]int8{none, none, none}:
			a.phase = examining
		default:
			a.phase = parking
		}
	case handling:
		w.handle(a)
	case examining:
		w.examine(c, i, a)
	case answers:
		o := w.answer(c, i, a)
		c.skipInvisible(a)
		return o, true
	case reads:
		w.read(c, a)
	case questioning:
		if w.question(i, a); !c.coarse && !c.turns {
			break
		}
		fallthrough
	case questioned:
		w.raise(a.to)
		a.phase, a.to = questioning, 0
	}
	c.skipInvisible(a)
	return "", true
}

// skipInvisible takes the steps of the owner that no other island sees.
func (c model) skipInvisible(a *node) {
	if a.phase == questioning && a.round == none {
		a.phase = parking
	}
	if a.phase == parking {
		c.park(a)
	}
}

func (w *state) handle(a *node) {
	for by, q := range a.inbox {
		if q != none {
			w.drop(a, a.questions[by])
			a.questions[by], a.inbox[by] = q, none
		}
	}
	if a.in != 0 || a.dependsOn&^a.done == 0 && a.dependsOn != 0 {
		a.in, a.ready = 0, true
		a.gen++
	}
	a.dependsOn &^= a.done
	a.done = 0
	a.phase = collecting
}

// restart marks the question to the prober to start again.
const restart = 8

// drop forgets a question without an answer.
func (w *state) drop(a *node, q int8) {
	switch {
	case q == none:
	case q >= restart:
		w.rounds[q-restart].restarting = false
		w.free(q - restart)
	default:
		for i := range w.nodes {
			if &w.nodes[i] == a {
				w.rounds[q].inTransit &^= of(i)
			}
		}
		w.free(q)
	}
}

// free makes room for another round if nothing of this one is left.
func (w *state) free(k int8) {
	if r := &w.rounds[k]; r.inTransit|r.toAsk == 0 && !r.restarting {
		*r = probing{by: none}
	}
}

func (w *state) examine(c model, i int, a *node) {
	switch {
	case (a.pending || a.raised) && c.mistake == "does not answer when it is woken", a.ready, a.deadlocked, w.held.has(i):
		a.probed = claim{}
		a.published = claim{}
		for by, q := range a.questions {
			w.drop(a, q)
			a.questions[by] = none
		}
		a.started = a.started || a.due
		a.due, a.repeat, a.phase = false, false, parking
	case (a.pending || a.raised) && c.mistake != "answers before it has looked":
		a.phase = parking
	default:
		a.now = claim{true, a.gen, a.taken, a.dependsOn}
		if c.mistake == "does not count holds" {
			a.now.taken = 0
		}
		a.published, a.phase = a.now, answers
	}
}

func (w *state) answer(c model, i int, a *node) (o outcome) {
	for by, q := range a.questions {
		if q == none {
			continue
		}
		a.questions[by] = none
		if q >= restart {
			w.rounds[q-restart].restarting = false
			w.free(q - restart)
			a.due, a.repeat = true, true
			return ""
		}
		return w.answered(c, i, q, w.rounds[q].published[i] == a.now)
	}
	due, repeat := a.due, a.repeat
	a.due, a.repeat = false, false
	a.phase = parking
	if a.started = a.started || due; due && (repeat || a.probed != a.now) {
		a.probed = a.now
		w.start(i, a, repeat)
	}
	a.now = claim{}
	return ""
}

func (w *state) start(i int, a *node, repeat bool) {
	for k := range w.rounds {
		if r := &w.rounds[k]; r.by == none {
			*r = probing{by: int8(i), members: of(i), read: of(i), toAsk: of(i), repeat: repeat}
			r.published[i] = a.now
			a.round, a.phase = int8(k), reads
			r.members |= a.now.dependsOn
			return
		}
	}
	w.fault = true
}

func (w *state) read(c model, a *node) {
	r := &w.rounds[a.round]
	if more := r.members &^ r.read; more != 0 {
		m := more.first()
		r.published[m] = w.nodes[m].published
		r.read |= of(m)
		r.members |= r.published[m].dependsOn
		return
	}
	if !r.repeat && w.silent(r) { // it probes by itself when it blocks
		*r = probing{by: none}
		a.round, a.phase = none, parking
		return
	}
	r.read, r.missing, r.toAsk = 0, r.members, r.members
	a.phase = questioning
}

// silent tells whether a member of the round had made no statement.
func (w *state) silent(r *probing) bool {
	for m := range w.nodes {
		if r.members.has(m) && !r.published[m].made {
			return true
		}
	}
	return false
}

// moveHold has something outside the islands, which keeps one of them from being blocked, do the
// same for another one, or (to itself) for none. The other is held before the one is released.
func (w *state) moveHold(by, at int) bool {
	if !w.held.has(by) || w.moves == 0 || w.fault {
		return false
	}
	w.moves--
	if by != at {
		w.held |= of(at)
		w.nodes[at].taken++
	}
	w.held &^= of(by)
	w.nodes[by].pending = true
	return true
}

func (w *state) question(i int, a *node) {
	k := a.round
	r := &w.rounds[k]
	m := r.toAsk.first()
	r.toAsk &^= of(m)
	r.inTransit |= of(m)
	if r.toAsk == 0 {
		a.round = none
	}
	to := &w.nodes[m]
	w.drop(to, to.inbox[i])
	to.inbox[i] = k
	a.phase, a.to = questioned, int8(m)
}

func (w *state) answered(c model, i int, k int8, same bool) (o outcome) {
	r := &w.rounds[k]
	r.inTransit &^= of(i)
	r.missing &^= of(i)
	r.changed = r.changed || !same
	switch {
	case r.missing != 0:
	case r.changed && c.mistake != "any statement is accepted":
		by := &w.nodes[r.by]
		w.drop(by, by.inbox[r.by])
		r.restarting = true
		by.inbox[r.by] = k + restart
		w.raise(r.by)
	case !w.anyDeadlocked(r.members) || c.mistake == "reports an island twice":
		if a := &w.nodes[i]; c.mistake == "publishes one after the other" {
			a.publishing = r.members
		} else {
			o = w.publish(a, r.members)
		}
	}
	w.free(k)
	return o
}

// publish records the deadlock for some of its islands.
func (w *state) publish(a *node, some set) outcome {
	for m := range w.nodes {
		if some.has(m) && !w.nodes[m].deadlocked {
			w.nodes[m].deadlocked, w.nodes[m].pending = true, true
		}
	}
	a.publishing &^= some
	return outcome(fmt.Sprint("in deadlock: ", uint8(some)))
}

// anyDeadlocked tells whether one of them is in a deadlock already.
func (w *state) anyDeadlocked(some set) bool {
	for m := range w.nodes {
		if some.has(m) && w.nodes[m].deadlocked {
			return true
		}
	}
	return false
}

func (c model) park(a *node) {
	switch {
	case a.deadlocked:
		a.leaving, a.phase = true, runs
	case a.ready:
		a.ready, a.phase = false, runs
	case !a.started && !a.due && (c.mistake != "probes once" || a.probed.gen != a.gen):
		a.due, a.phase = true, top
	default:
		a.phase = sleeping
	}
}
