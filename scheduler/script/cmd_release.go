package script

func cmdRelease(w *world, a *args) {
	id := a.fiber()
	t, ok := id.Trampoline()
	if a.err == "" && !ok {
		a.fail("%s is no trampoline; want a name given by acquire, or an ID like t0.1", w.id(id))
	}
	if !a.done() {
		return
	}
	w.s.ReleaseTrampoline(t)
	w.say("release: %s", w.id(id))
}
