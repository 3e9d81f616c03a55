package schedscript

import "github.com/selvage-dev/selvage/fiber"

func (w *world) cmdAcquire(name string) {
	below := w.s.Inspect().Executing()
	id, err := w.s.AcquireTrampoline()
	if err != nil {
		w.deny(err)
		return
	}
	w.enlist(name, id.ID(), nil)
	w.answer("%s is %v, above %s", name, id, w.id(below))
}

func (a *args) trampoline() fiber.TrampolineID {
	id := a.fiber()
	t, ok := id.Trampoline()
	if a.err == "" && !ok {
		a.fail("%s is no trampoline; want a name given by acquire, or an ID like t0.1", a.w.id(id))
	}
	return t
}

func (w *world) cmdRelease(t fiber.TrampolineID) {
	w.s.ReleaseTrampoline(t)
	w.answer("%s", w.id(t.ID()))
}

func (w *world) cmdYieldPinned() {
	id := w.s.Inspect().Executing()
	w.s.Calls().YieldPinned()
	w.answer("%s", w.id(id))
}

func (w *world) cmdUnpin() {
	w.s.Calls().Unpin()
	w.answer("%s runs, executing %s", w.id(w.s.Current()), w.id(w.s.Inspect().Executing()))
}

func (w *world) cmdFailPinned() { w.answer("%s", w.names.In(w.s.Calls().FailPinned().Error())) }
