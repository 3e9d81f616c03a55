package scheduler

import (
	"errors"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

// modelMoved is a fiber that has moved out, and what the scheduler packed for it.
type modelMoved struct {
	moved Moved[int]
	code  fiber.Code
	masks int
}

func (r *modelRoot) mayMove() bool {
	return r.state == fiber.Runnable && r.movable && !r.paused && r.frameless() && !r.nests &&
		!r.unwinds() && r.cancel == notCancelled && !r.own.owed && len(r.operations) == 0
}

func (m *model) depart(r *modelRoot, moved Moved[int]) {
	m.ready = slices.DeleteFunc(m.ready, func(other *modelRoot) bool { return other == r })
	r.state = fiber.Dead
	m.away = append(m.away, modelMoved{moved, r.own.code, r.masks})
}

// MoveOut takes any fiber that ever lived, if it may leave.
func (p *modelTest) MoveOut(t *rapid.T) {
	m := &p.model
	if len(m.roots) == 0 {
		return
	}
	r := rapid.SampledFrom(m.roots).Draw(t, "whom")
	before := p.Inspect().Dump()
	moved, err := p.testScheduler.Moves().MoveOut(root(r.own.id))
	switch {
	case r.state == fiber.Dead:
		same(p, "gone", errors.Is(err, ErrGone), true)
	case !r.mayMove():
		same(p, "stays", errors.Is(err, ErrImmovable), true)
	default:
		same(p, "MoveOut", err, nil)
		m.depart(r, moved)
		return
	}
	same(p, "after a refusal", p.Inspect().Dump(), before)
}

func (p *modelTest) MoveOutLast(t *rapid.T) {
	m := &p.model
	n := rapid.IntRange(0, 3).Draw(t, "at most")
	moved := p.testScheduler.Moves().MoveOutLast(n, nil)
	last := slices.Clone(m.ready)
	slices.Reverse(last)
	for _, r := range last[:min(2*n, len(last))] {
		if r.mayMove() && len(moved) > 0 {
			m.depart(r, moved[0])
			moved = moved[1:]
		}
	}
	same(p, "moved too many", len(moved), 0)
}

// MoveIn brings one back, which has the place and the name of a new fiber.
func (p *modelTest) MoveIn(t *rapid.T) {
	m := &p.model
	if len(m.away) == 0 {
		return
	}
	at := rapid.IntRange(0, len(m.away)-1).Draw(t, "whom")
	from := m.away[at]
	id, err := p.testScheduler.Moves().MoveIn(from.moved)
	same(p, "too many", errors.Is(err, ErrTooManyFibers), m.live() == mostFibers)
	if err != nil {
		return
	}
	m.away = slices.Delete(m.away, at, at+1)
	x := m.spawn(id, false, false, false)
	x.code, x.root.movable, x.root.masks = from.code, true, from.masks
	p.contexts = append(p.contexts, x)
}
