package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

func cmdSleep(w *world, a *args) {
	d := a.duration()
	r, err := wait.Sleep(w.s.Now(), d)
	if err != nil && a.err == "" {
		a.fail("%v", err)
	}
	if p := w.actor(a); p != nil {
		w.suspend("sleep", p, r, func(fiber.Ticket) error { return nil }, nil)
	}
}
