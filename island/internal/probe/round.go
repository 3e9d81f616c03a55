package probe

import (
	"slices"
	"sync/atomic"
)

// round is one probe: some members are asked whether they still make the same statements.
type round[F any] struct {
	by      *Member[F]
	asked   []claim[F]
	missing atomic.Int32 // answers
	changed atomic.Bool  // some member has answered with another statement
}

// claim is a statement that a member has made; nil: it had made none.
type claim[F any] struct {
	of *Member[F]
	st *Statement[F]
}

// question is one claim of a round, to be confirmed by the member that made it.
type question[F any] struct {
	round *round[F]
	at    int // in round.asked; restart: none, but the prober has to start another round
}

const restart = -1

// probe starts a round with the member's own statement, unless a member that can run probes by
// itself within the patience. The member has published its statement before it reads those of the
// others, so of two that become blocked at the same time at least one finds both.
func (m *Member[F]) probe(st *Statement[F], patience int64) {
	r := &round[F]{by: m, asked: collect(m, st)}
	if slices.ContainsFunc(r.asked, func(c claim[F]) bool { return c.st == nil && c.of.startsWithin(patience) }) {
		return
	}
	if !slices.ContainsFunc(r.asked, func(c claim[F]) bool { return c.st == nil || c.st.Blocked }) {
		return // all are idle: that is no deadlock
	}
	r.missing.Store(int32(len(r.asked)))
	for k, c := range r.asked {
		c.of.ask(question[F]{r, k})
	}
}

// startsWithin tells whether the member starts a probe by itself no later than one with that
// patience that has become blocked at the same time.
func (m *Member[F]) startsWithin(patience int64) bool {
	own := m.patience.Load()
	return 0 < own && own <= patience
}

// collect reads the statements of the member and of all that it depends on, directly or not,
// as far as those have made statements.
func collect[F any](m *Member[F], st *Statement[F]) []claim[F] {
	all, seen := []claim[F]{{m, st}}, map[*Member[F]]bool{m: true}
	for k := 0; k < len(all); k++ {
		if all[k].st == nil {
			continue
		}
		for _, o := range all[k].st.DependsOn {
			if seen[o] {
				continue
			}
			seen[o] = true
			// A statement may name a member that is closed since; its author makes another
			// one when asked.
			if c := (claim[F]{o, o.Published()}); c.st != nil || !o.isClosed() {
				all = append(all, c)
			}
		}
	}
	return all
}

// answer answers a question with the present statement, and not at all if there is none.
func (m *Member[F]) answer(q question[F], st *Statement[F]) {
	switch {
	case st == nil:
	case q.at == restart:
		m.Start(true)
	default:
		q.round.answered(m, st == q.round.asked[q.at].st)
	}
}

// answered is called by the member that was asked. The last one to answer concludes.
func (r *round[F]) answered(m *Member[F], same bool) {
	if !same {
		r.changed.Store(true)
	}
	switch {
	case r.missing.Add(-1) > 0:
	case r.changed.Load():
		r.by.ask(question[F]{r, restart})
	default:
		r.conclude(m)
	}
}

// conclude declares the deadlock. The statements still hold, because none of the members can
// run. The member m, which calls it, need not be woken.
func (r *round[F]) conclude(m *Member[F]) {
	var findings []F
	for _, c := range r.asked {
		findings = append(findings, c.st.Finding)
	}
	if !r.by.declare(findings) {
		return
	}
	for _, c := range r.asked {
		if c.of != m {
			c.of.wake()
		}
	}
}
