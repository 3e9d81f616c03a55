package script

func cmdCondemn(w *world, a *args) {
	if !a.done() {
		return
	}
	w.say("condemn: %s", w.named(w.s.Calls().FailPinned().Error()))
}
