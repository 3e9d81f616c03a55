package script

func cmdAttach(w *world, a *args) {
	tok, c := a.token(), thing[*cell](a, "a cell", "cell NAME")
	if !a.done() {
		return
	}
	if err := w.s.Ops().Attach(tok, &c.Cell); err != nil {
		w.deny("attach", err)
		return
	}
	w.say("attach: %s to %s", w.token(tok), c.name)
}
