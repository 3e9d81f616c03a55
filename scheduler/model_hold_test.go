package scheduler

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"pgregory.net/rapid"
)

func (p *modelTest) Pause(t *rapid.T) {
	x := p.anyContext(t)
	err := p.Attachments().Pause(x.id)
	same(p, "gone", errors.Is(err, ErrGone), x.state() == fiber.Dead)
	if err == nil {
		x.root.paused = true
	}
}

func (p *modelTest) Resume(t *rapid.T) {
	m := &p.model
	x := p.anyContext(t)
	if len(m.held) > 0 && rapid.Bool().Draw(t, "one that is held") {
		x = rapid.SampledFrom(m.held).Draw(t, "whom of them").own
	}
	err := p.Attachments().Resume(x.id)
	same(p, "gone", errors.Is(err, ErrGone), x.state() == fiber.Dead)
	if err == nil {
		x.root.paused = false
		m.unhold(x.root)
	}
	if x.root != nil && x.root.state != fiber.Dead {
		same(p, "paused", p.Inspect().Paused(x.root.own.id), x.root.paused && !x.root.doomed)
	}
}
