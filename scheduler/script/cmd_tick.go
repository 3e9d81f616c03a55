package script

func cmdTick(w *world, a *args) {
	d := a.duration()
	if !a.done() {
		return
	}
	w.clock.Advance(w.clock.Now().After(d))
	if w.s.Current() != 0 {
		w.say("tick: the clock says %v; nobody polls while %s runs", w.clock.Now(), w.id(w.s.Current()))
		return
	}
	w.poll("tick")
}
