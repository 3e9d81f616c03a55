package island

import (
	"slices"
	"sync/atomic"
)

// round is one probe: some islands are asked whether they still say what they have said.
// Whoever is stuck answers, whoever can go on keeps silent. When all have answered, and all
// have said the same again, they are in deadlock. If some had said nothing, or something
// else, there is more to read now, and the island that began the round begins another. Each
// such round has at least one statement that is new, so there are only so many.
type round struct {
	by   *Island
	asks []ask
	open atomic.Int32 // not answered yet
	news atomic.Bool  // somebody has said what it had not said before
}

// ask is what one island is asked: whether it says this. nil: it had said nothing.
type ask struct {
	of   *Island
	said *statement
}

// question is one of a round, where the island that is asked finds it. Without a number it is
// for the one that has begun the round: that it should look again.
type question struct {
	round *round
	at    int // in round.asks; -1: look again
}

// ask begins a round, with what this island says.
func (i *Island) ask(st *statement) {
	r := &round{by: i, asks: reach(i, st)}
	if !r.grave() {
		return
	}
	r.open.Store(int32(len(r.asks)))
	for k, a := range r.asks {
		a.of.pose(question{r, k})
	}
}

// reach is the island and all that it depends on, directly or not, as far as they say so.
func reach(i *Island, st *statement) []ask {
	all, seen := []ask{{i, st}}, map[*Island]bool{i: true}
	for k := 0; k < len(all); k++ {
		if all[k].said == nil {
			continue
		}
		for _, o := range all[k].said.upon {
			if !seen[o] {
				seen[o] = true
				all = append(all, ask{o, o.probes.said.Load()})
			}
		}
	}
	return all
}

// grave tells whether there may be a deadlock at all. Islands that are merely at rest, until others
// have fibers run there, are in none.
func (r *round) grave() bool {
	return slices.ContainsFunc(r.asks, func(a ask) bool { return a.said == nil || a.said.grave })
}

// pose puts a question where the island finds it.
func (i *Island) pose(q question) {
	if i.probes.take(q) {
		i.probes.bell.ring()
	}
}

func (p *prober) take(q question) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.put = latest(p.put, q)
	}
	return !p.closed
}

// close is when the island leaves. What it has asked and was asked names islands that would
// outlive their end with it, each with those that it has named.
func (p *prober) close() {
	p.mu.Lock()
	p.put, p.closed = nil, true
	p.mu.Unlock()
	p.asked, p.later = nil, nil
}

// latest adds a question. Of those of one island the last counts, so that there are no more of
// them than islands.
func latest(all []question, q question) []question {
	return append(slices.DeleteFunc(all, func(o question) bool { return o.round.by == q.round.by }), q)
}

// hearQuestions is when the bell has rung: they are looked at when all else has been.
func (i *Island) hearQuestions() {
	p := &i.probes
	p.mu.Lock()
	for _, q := range p.put {
		p.later = latest(p.later, q)
	}
	clear(p.put)
	p.put = p.put[:0]
	p.mu.Unlock()
}

// answer tells what the island says, if it is stuck.
func (i *Island) answer(q question, st *statement) {
	switch {
	case st == nil: // silence: it can go on
	case q.at < 0:
		i.probes.due, i.probes.again = true, true
	default:
		q.round.answered(i, st == q.round.asks[q.at].said)
	}
}

// answered is called by the one that was asked. The last one draws the conclusion.
func (r *round) answered(i *Island, same bool) {
	if !same {
		r.news.Store(true)
	}
	switch {
	case r.open.Add(-1) > 0:
	case r.news.Load():
		r.by.pose(question{r, -1})
	default:
		r.declare(i)
	}
}

// declare tells everybody in the deadlock; i is told. Nothing can have changed: none of them can
// go on.
func (r *round) declare(i *Island) {
	var findings []Finding
	for _, a := range r.asks {
		findings = append(findings, a.said.finding)
	}
	if !r.by.reg.convict(newDeadlockError(findings)) {
		return
	}
	for _, a := range r.asks {
		if a.of != i {
			a.of.core.Inbox().Notify()
		}
	}
}
