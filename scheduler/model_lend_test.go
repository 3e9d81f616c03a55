package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

func (p *modelTest) Lend(*rapid.T) {
	m := &p.model
	var id fiber.RegularID
	if p.try(m.is(calm) && !m.cur.nests, func() { id = p.Moves().Lend() }) {
		same(p, "lent", id.ID(), m.cur.own.id)
		m.lent = append(m.lent, m.cur)
		m.leaveCPU()
	}
}

// Recall takes back any fiber that ever lived, lent or not.
func (p *modelTest) Recall(t *rapid.T) {
	m := &p.model
	if len(m.roots) == 0 {
		return
	}
	r := rapid.SampledFrom(m.roots).Draw(t, "whom")
	if len(m.lent) > 0 && rapid.Bool().Draw(t, "one that is lent") {
		r = rapid.SampledFrom(m.lent).Draw(t, "whom of them")
	}
	id, _ := r.own.id.Regular()
	at := slices.Index(m.lent, r)
	if p.try(m.cur == nil && at >= 0, func() { p.Moves().Recall(id) }) {
		m.lent = slices.Delete(m.lent, at, at+1)
		m.cur = r
	}
}
