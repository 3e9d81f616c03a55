package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

func cmdIdle(w *world, a *args) {
	if !a.done() {
		return
	}
	switch v := w.s.Steps().IdleVerdictWithReport(); {
	case v.Err() != nil:
		w.say("idle: %v", v.Kind)
		w.say("%s", w.named(v.Report.String()))
	case v.Kind == scheduler.Waiting && v.Until == fiber.Never:
		w.say("idle: waiting for something from outside")
	case v.Kind == scheduler.Waiting:
		w.say("idle: waiting until %v", v.Until)
	default:
		w.say("idle: %v", v.Kind)
	}
}
