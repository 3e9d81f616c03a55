package schedscript

import (
	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/panicstate"
)

// The host runs deferred calls: the commands here take them from the panic machine of the
// executing context, and the script plays what they do.

func frame(a *args) int       { return a.number("a frame") }
func callName(a *args) string { return a.word("a name for the call") }

// panicKind reads the kind of a panic; recoverable if the script does not say.
func (a *args) panicKind() panicstate.Kind {
	switch {
	case a.is("exit"):
		return panicstate.Exit
	case a.is("fatal"):
		return panicstate.Fatal
	}
	return panicstate.Recoverable
}

func (w *world) cmdPanic(kind panicstate.Kind, value string) {
	w.s.Unwind().BeginPanic(kind, value, w.Place())
	w.answer("%s in %s (%v)", script.Show(value), w.id(w.s.Inspect().Executing()), kind)
}

func (w *world) cmdActive() {
	p, ok := w.s.Unwind().Panics().Active()
	if !ok {
		w.answer("nothing")
		return
	}
	w.answer("%s (%v) of %s, generation %d", script.Show(p.Value), p.Kind, p.Site, p.Generation)
}

func (w *world) cmdRecover(frame int) {
	if value, ok := w.s.Unwind().Recover(frame); ok {
		w.answer("%s", script.Show(value))
		return
	}
	w.answer("nothing")
}

func (w *world) cmdDefer(frame int, call string) {
	w.s.Unwind().Panics().Defer(frame, call)
	w.answer("%s by frame %d", script.Show(call), frame)
}

func (w *world) cmdUnwind() { w.deferred(w.s.Unwind().Panics().NextDefer()) }

func (w *world) cmdReturn(frame int) { w.deferred(w.s.Unwind().Panics().Return(frame)) }

// deferred says which call runs next, or how the unwinding ends.
func (w *world) deferred(d panicstate.Deferred, ok bool) {
	if ok {
		w.answer("%s runs as frame %d", script.Show(d.Call), d.Frame+1)
		return
	}
	p, panicked := w.s.Unwind().Panics().Outcome()
	if !panicked {
		w.answer("no call is left")
		return
	}
	w.answer("no call is left; ends with the panic %s of %s", script.Show(p.Value), p.Site)
}

func (w *world) cmdEndDefer() {
	step, frame := w.s.Unwind().Panics().EndDefer()
	w.answer("%v in frame %d", step, frame)
}
