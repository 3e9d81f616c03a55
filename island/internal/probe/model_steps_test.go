//go:build !invariants && !race

package probe_test

import "fmt"

func (c troupe) Step(w *scene, m move) (outcome, bool) {
	a := &w.actors[m.by]
	if m.deed == stepping {
		return c.step(w, m.by, a)
	}
	if a.phase != runs || w.fault {
		return "", false
	}
	switch to := &w.actors[m.at]; m.deed {
	case blocking:
		if a.leaving || c.restless.has(m.by) {
			return "", false
		}
		switch {
		case a.in|a.mail != 0: // it receives
			a.in, a.mail = 0, 0
		case a.upon&^a.done == 0:
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
	a.phase, a.to = ringing, int8(m.at)
	if c.coarse || c.turns {
		return c.small(w, m.by, a)
	}
	return "", true
}

func (w *scene) ring(i int8) {
	w.actors[i].news = true
	w.actors[i].pending = true
}

// step is one of the owner's.
func (c troupe) step(w *scene, i int, a *actor) (o outcome, ok bool) {
	o, ok = c.small(w, i, a)
	for c.turns && ok && o == "" && a.phase > top && a.phase < sleeping {
		o, ok = c.small(w, i, a)
	}
	return o, ok
}

func (c troupe) small(w *scene, i int, a *actor) (outcome, bool) {
	if w.fault {
		return "", false
	}
	if a.telling != 0 {
		return w.tell(a, of(a.telling.first())), true
	}
	switch a.phase {
	case runs, gone:
		return "", false
	case ringing:
		w.ring(a.to)
		a.phase, a.to = runs, 0
	case sleeping:
		if !a.pending {
			return "", false
		}
		a.phase = top
	case top:
		a.pending, a.tried, a.phase = false, false, hearing
		if a.mail != 0 {
			a.mail, a.ready = 0, true
			a.gen++
		}
		fallthrough
	case hearing:
		switch {
		case a.convicted:
			a.phase = rests
		case a.news:
			a.news, a.phase = false, heard
		case a.due || a.later != [mostModelled]int8{none, none, none}:
			a.phase = looks
		default:
			a.phase = rests
		}
	case heard:
		w.hear(a)
	case looks:
		w.look(c, a)
	case answers:
		o := w.answer(c, i, a)
		c.goOn(a)
		return o, true
	case reads:
		w.read(i, a)
	case poses:
		if w.pose(i, a); !c.coarse && !c.turns {
			break
		}
		fallthrough
	case posed:
		w.ring(a.to)
		a.phase, a.to = poses, 0
	}
	c.goOn(a)
	return "", true
}

// goOn is what the owner does that nobody else sees.
func (c troupe) goOn(a *actor) {
	if a.phase == poses && a.round == none {
		a.phase = rests
	}
	if a.phase == rests {
		c.rest(a)
	}
}

func (w *scene) hear(a *actor) {
	for by, q := range a.put {
		if q != none {
			w.drop(a, a.later[by])
			a.later[by], a.put[by] = q, none
		}
	}
	if a.in != 0 || a.upon&^a.done == 0 && a.upon != 0 {
		a.in, a.ready = 0, true
		a.gen++
	}
	a.upon &^= a.done
	a.done = 0
	a.phase = hearing
}

// lookAgain is a question that is back at the one that asked.
const lookAgain = 8

// drop is a question that is not answered.
func (w *scene) drop(a *actor, q int8) {
	switch {
	case q == none:
	case q >= lookAgain:
		w.rounds[q-lookAgain].back = false
		w.free(q - lookAgain)
	default:
		for i := range w.actors {
			if &w.actors[i] == a {
				w.rounds[q].on &^= of(i)
			}
		}
		w.free(q)
	}
}

// free makes room for another round if nothing of this one is left.
func (w *scene) free(k int8) {
	if r := &w.rounds[k]; r.on|r.toAsk == 0 && !r.back {
		*r = probing{by: none}
	}
}

func (w *scene) look(c troupe, a *actor) {
	switch {
	case (a.pending || a.news) && c.mistake == "does not answer when it is roused", a.ready, a.convicted:
		a.asked = claim{}
		a.said = claim{}
		for by, q := range a.later {
			w.drop(a, q)
			a.later[by] = none
		}
		a.tried = a.tried || a.due
		a.due, a.again, a.phase = false, false, rests
	case (a.pending || a.news) && c.mistake != "answers before it has looked":
		a.phase = rests
	default:
		a.now = claim{true, a.gen, a.upon}
		a.said, a.phase = a.now, answers
	}
}

func (w *scene) answer(c troupe, i int, a *actor) (o outcome) {
	for by, q := range a.later {
		if q == none {
			continue
		}
		a.later[by] = none
		if q >= lookAgain {
			w.rounds[q-lookAgain].back = false
			w.free(q - lookAgain)
			a.due, a.again = true, true
			return ""
		}
		return w.answered(c, i, q, w.rounds[q].said[i] == a.now)
	}
	due, again := a.due, a.again
	a.due, a.again = false, false
	a.phase = rests
	if a.tried = a.tried || due; due && (again || a.asked != a.now) {
		a.asked = a.now
		w.begin(i, a)
	}
	a.now = claim{}
	return ""
}

func (w *scene) begin(i int, a *actor) {
	for k := range w.rounds {
		if r := &w.rounds[k]; r.by == none {
			*r = probing{by: int8(i), asks: of(i), read: of(i), toAsk: of(i)}
			r.said[i] = a.now
			a.round, a.phase = int8(k), reads
			r.asks |= a.now.upon
			return
		}
	}
	w.fault = true
}

func (w *scene) read(_ int, a *actor) {
	r := &w.rounds[a.round]
	if more := r.asks &^ r.read; more != 0 {
		m := more.first()
		r.said[m] = w.actors[m].said
		r.read |= of(m)
		r.asks |= r.said[m].upon
		return
	}
	r.read, r.open, r.toAsk = 0, r.asks, r.asks
	a.phase = poses
}

func (w *scene) pose(i int, a *actor) {
	k := a.round
	r := &w.rounds[k]
	m := r.toAsk.first()
	r.toAsk &^= of(m)
	r.on |= of(m)
	if r.toAsk == 0 {
		a.round = none
	}
	to := &w.actors[m]
	w.drop(to, to.put[i])
	to.put[i] = k
	a.phase, a.to = posed, int8(m)
}

func (w *scene) answered(c troupe, i int, k int8, same bool) (o outcome) {
	r := &w.rounds[k]
	r.on &^= of(i)
	r.open &^= of(i)
	r.news = r.news || !same
	switch {
	case r.open != 0:
	case r.news && c.mistake != "anything said is good":
		by := &w.actors[r.by]
		w.drop(by, by.put[r.by])
		r.back = true
		by.put[r.by] = k + lookAgain
		w.ring(r.by)
	case !w.found(r.asks) || c.mistake == "convicts who was told":
		if a := &w.actors[i]; c.mistake == "tells one after the other" {
			a.telling = r.asks
		} else {
			o = w.tell(a, r.asks)
		}
	}
	w.free(k)
	return o
}

// tell is what an island has found, for some of those who are in it.
func (w *scene) tell(a *actor, some set) outcome {
	for m := range w.actors {
		if some.has(m) && !w.actors[m].convicted {
			w.actors[m].convicted, w.actors[m].pending = true, true
		}
	}
	a.telling &^= some
	return outcome(fmt.Sprint("in deadlock: ", uint8(some)))
}

// found tells whether any of them was found to be in deadlock before.
func (w *scene) found(some set) bool {
	for m := range w.actors {
		if some.has(m) && w.actors[m].convicted {
			return true
		}
	}
	return false
}

func (c troupe) rest(a *actor) {
	switch {
	case a.convicted:
		a.leaving, a.phase = true, runs
	case a.ready:
		a.ready, a.phase = false, runs
	case !a.tried && !a.due && (c.mistake != "asks once" || a.asked.gen != a.gen):
		a.due, a.phase = true, top
	default:
		a.phase = sleeping
	}
}
