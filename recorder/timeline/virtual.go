package timeline

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// jump is an instant at which virtual time stood somewhere else than before.
type jump struct {
	at time.Duration
	to fiber.Time
}

// Virtual tells where the clock of a scheduler in virtual time stands at an instant of the recording, which
// is not before the last one. Jumps are shown on the track of the worker. What does not change is not kept.
func (p *Part) Virtual(at time.Duration, now fiber.Time) {
	if now != p.virtual {
		p.virtual = now
		p.jumps = append(p.jumps, jump{at, now})
	}
}

// tellJumps writes those up to an instant.
func (p *Part) tellJumps(until time.Duration) {
	n := 0
	for ; n < len(p.jumps) && p.jumps[n].at <= until; n++ {
		p.begin("i", owner, worker)
		p.at(p.jumps[n].at)
		p.some("s", "p")
		p.some("name", "virtual time "+time.Duration(p.jumps[n].to).String())
		p.close()
	}
	p.jumps = append(p.jumps[:0], p.jumps[n:]...)
}
