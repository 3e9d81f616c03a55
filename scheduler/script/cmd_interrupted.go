package script

import "github.com/selvage-dev/selvage/fiber"

func cmdInterrupted(w *world, a *args) {
	if !a.done() {
		return
	}
	code, cause := w.s.TakeInterrupt()
	if code == fiber.Pending {
		w.say("interrupted: no")
		return
	}
	w.say("interrupted: %v (%s)", code, w.named(cause.Error()))
}
