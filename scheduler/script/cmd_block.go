package script

import "github.com/selvage-dev/selvage/fiber"

func cmdBlock(w *world, a *args) {
	if !a.done() {
		return
	}
	p := w.executing()
	how := w.s.Block()
	p.armed = fiber.Ticket{} // nobody who is not armed gets here
	w.say("block: %v", how)
}
