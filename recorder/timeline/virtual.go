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
func (t *Writer) Virtual(at time.Duration, now fiber.Time) {
	if now != t.virtual {
		t.virtual = now
		t.jumps = append(t.jumps, jump{at, now})
	}
}

// tellJumps writes those up to an instant.
func (t *Writer) tellJumps(until time.Duration) {
	n := 0
	for ; n < len(t.jumps) && t.jumps[n].at <= until; n++ {
		t.begin("i", owner, worker)
		t.instant("ts", t.jumps[n].at)
		t.some("s", "p")
		t.some("name", "virtual time "+time.Duration(t.jumps[n].to).String())
		t.close()
	}
	t.jumps = append(t.jumps[:0], t.jumps[n:]...)
}
