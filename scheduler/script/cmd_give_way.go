package script

func cmdGiveWay(w *world, a *args) {
	if !a.done() {
		return
	}
	id := w.s.Executing()
	w.s.YieldPinned()
	w.say("give-way: %s", w.id(id))
}
