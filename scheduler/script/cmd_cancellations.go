package script

func cmdCancellations(w *world, a *args) {
	if !a.done() {
		return
	}
	tokens := w.s.Ops().Cancellations(nil)
	if len(tokens) == 0 {
		w.say("cancellations: none")
	}
	for _, tok := range tokens {
		w.say("cancellations: %s", w.token(tok))
	}
}
