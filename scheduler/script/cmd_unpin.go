package script

func cmdUnpin(w *world, a *args) {
	if !a.done() {
		return
	}
	w.s.Calls().Unpin()
	w.say("unpin: %s runs, executing %s", w.id(w.s.Current()), w.id(w.s.Inspect().Executing()))
}
