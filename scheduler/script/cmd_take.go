package script

func cmdTake(w *world, a *args) {
	tok := a.token()
	if !a.done() {
		return
	}
	w.say("take: %s", w.taken(tok))
}
