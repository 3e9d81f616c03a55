package script

func cmdYield(w *world, a *args) {
	if !a.done() {
		return
	}
	id := w.s.Current()
	w.s.YieldCurrent()
	w.say("yield: %s", w.id(id))
}
