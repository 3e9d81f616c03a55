package script

func cmdWake(w *world, a *args) {
	id := a.fiber()
	if !a.done() {
		return
	}
	w.s.Wake(id)
	w.say("wake: %s", w.id(id))
}
