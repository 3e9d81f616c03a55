package script

import "github.com/selvage-dev/selvage/scheduler"

func cmdReport(w *world, a *args) {
	if !a.done() {
		return
	}
	stuck := w.s.Inspect().Report().Stuck
	if len(stuck) == 0 {
		w.say("report: nobody is stuck")
		return
	}
	w.say("report:")
	w.say("%s", w.named((&scheduler.Report{Stuck: stuck}).String()))
}
