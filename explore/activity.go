package explore

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/scheduler"
)

// A run whose main fiber has returned, and whose fibers wait for the time again and again, ends after so
// many steps and advances of the time.
const (
	afterSteps    = 500
	afterAdvances = 100
)

// activity is which fibers run after the main fiber has returned.
type activity struct {
	now      fiber.Time
	steps    int
	advances int              // of the time
	ran      map[fiber.ID]int // the advances before each fiber's last time slice
}

func (a *activity) note(t scheduler.Transition, now fiber.Time) {
	a.steps++
	if now > a.now {
		a.now = now
		a.advances++
	}
	if t.Op == op.Next || t.Op == op.Spawn {
		a.ran[t.ID] = a.advances
	}
}

func (a *activity) enough() bool { return a.steps > afterSteps && a.advances > afterAdvances }

func (a *activity) inSecondHalf(id fiber.ID) bool { return 2*a.ran[id] > a.advances }
