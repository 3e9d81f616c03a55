package script

import (
	"fmt"

	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/panicstate"
)

func cmdPanic(w *world, a *args) {
	kind := panicstate.Recoverable
	switch {
	case a.is("exit"):
		kind = panicstate.Exit
	case a.is("fatal"):
		kind = panicstate.Fatal
	}
	value := a.word("a value")
	if !a.done() {
		return
	}
	w.s.Unwind().BeginPanic(kind, value, fmt.Sprintf("%s:%d", w.file, w.line))
	w.say("panic: %s in %s (%v)", transcript.Show(value), w.id(w.s.Inspect().Executing()), kind)
}

func cmdActive(w *world, a *args) {
	if !a.done() {
		return
	}
	p, ok := w.s.Unwind().Panics().Active()
	if !ok {
		w.say("active: nothing")
		return
	}
	w.say("active: %s (%v) of %s, generation %d", transcript.Show(p.Value), p.Kind, p.Site, p.Generation)
}

func cmdRecover(w *world, a *args) {
	frame := a.number("a frame")
	if !a.done() {
		return
	}
	if value, ok := w.s.Unwind().Recover(frame); ok {
		w.say("recover: %s", transcript.Show(value))
		return
	}
	w.say("recover: nothing")
}
