package script

import "github.com/selvage-dev/selvage/fiber"

func cmdAwait(w *world, a *args) {
	r := a.by(fiber.OnIO(a.token()))
	if p := w.actor(a); p != nil {
		w.suspend("await", p, r, func(fiber.Ticket) error { return nil }, w.collectsToken(r))
	}
}
