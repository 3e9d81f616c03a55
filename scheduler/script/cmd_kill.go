package script

func cmdKill(w *world, a *args) {
	if !a.is("all") {
		w.ask(a, "kill", w.s.Kill)
		return
	}
	cause := a.cause()
	if !a.done() {
		return
	}
	w.s.Steps().KillAll(cause)
	w.say("kill: all")
}
