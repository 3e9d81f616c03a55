package script

func cmdGiveWay(w *world, a *args) {
	if !a.done() {
		return
	}
	id := w.s.Inspect().Executing()
	w.s.Calls().YieldPinned()
	w.say("give-way: %s", w.id(id))
}
