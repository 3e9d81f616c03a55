package script

func cmdAcquire(w *world, a *args) {
	name := a.fresh("a trampoline")
	if !a.done() {
		return
	}
	below := w.s.Inspect().Executing()
	id, err := w.s.AcquireTrampoline()
	if err != nil {
		w.deny("acquire", err)
		return
	}
	w.enlist(name, id.ID(), nil)
	w.say("acquire: %s is %v, above %s", name, id, w.id(below))
}
