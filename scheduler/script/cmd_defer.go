package script

import (
	"github.com/selvage-dev/selvage/panicstate"

	"github.com/selvage-dev/selvage/internal/transcript"
)

// Deferred calls are the host's to run: the commands here take them from the panic
// machine of the executing context, and a script plays what they do.

func cmdDefer(w *world, a *args) {
	frame, call := a.number("a frame"), a.word("a name for the call")
	if !a.done() {
		return
	}
	w.s.Unwind().Panics().Defer(frame, call)
	w.say("defer: %s by frame %d", transcript.Show(call), frame)
}

func cmdUnwind(w *world, a *args) {
	if !a.done() {
		return
	}
	d, ok := w.s.Unwind().Panics().NextDefer()
	w.deferred("unwind", d, ok)
}

func cmdReturn(w *world, a *args) {
	frame := a.number("a frame")
	if !a.done() {
		return
	}
	d, ok := w.s.Unwind().Panics().Return(frame)
	w.deferred("return", d, ok)
}

// deferred says which call runs next, or with what all is over.
func (w *world) deferred(cmd string, d panicstate.Deferred, ok bool) {
	if ok {
		w.say("%s: %s runs as frame %d", cmd, transcript.Show(d.Call), d.Frame+1)
		return
	}
	p, panicked := w.s.Unwind().Panics().Outcome()
	if !panicked {
		w.say("%s: no call is left", cmd)
		return
	}
	w.say("%s: no call is left; ends with the panic %s of %s", cmd, transcript.Show(p.Value), p.Site)
}

func cmdEndDefer(w *world, a *args) {
	if !a.done() {
		return
	}
	step, frame := w.s.Unwind().Panics().EndDefer()
	w.say("end-defer: %v in frame %d", step, frame)
}
