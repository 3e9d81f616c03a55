package script

import "github.com/selvage-dev/selvage/fiber"

func cmdDeliver(w *world, a *args) {
	t, code := a.ticket(), a.code()
	if !a.done() {
		return
	}
	d := w.s.Deliver(t, fiber.Result{Code: code})
	w.refused = !d.Accepted()
	w.say("deliver: %s %v", w.ticket(t), d)
}
