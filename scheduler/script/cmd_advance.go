package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

func cmdAdvance(w *world, a *args) {
	if !a.done() {
		return
	}
	v := w.s.Steps().IdleVerdictWithReport()
	if v.Kind != scheduler.Waiting || v.Until == fiber.Never {
		w.say("advance: there is no deadline to wait for: %v", v.Kind)
		return
	}
	w.clock.Advance(v.Until)
	w.poll("advance")
}
