package script

func cmdMask(w *world, a *args) {
	if !a.done() {
		return
	}
	w.s.Unwind().Mask()
	w.say("mask: %s", w.id(w.s.Current()))
}

func cmdUnmask(w *world, a *args) {
	if !a.done() {
		return
	}
	w.s.Unwind().Unmask()
	w.say("unmask: %s", w.id(w.s.Current()))
}
