package script

import "github.com/selvage-dev/selvage/fiber"

func cmdExit(w *world, a *args) {
	value, err := a.value()
	if !a.done() {
		return
	}
	id := w.s.Current()
	value, err = w.s.Exit(value, err)
	w.say("exit: %s ends with %s", w.id(id), answer(value, err))
}

func cmdCancel(w *world, a *args) { w.ask(a, "cancel", w.s.Cancel) }

// ask is what cancel and kill have in common.
func (w *world) ask(a *args, cmd string, do func(fiber.ID, error) error) {
	id, cause := a.fiber(), a.cause()
	if !a.done() {
		return
	}
	if err := do(id, cause); err != nil {
		w.deny(cmd, err)
		return
	}
	w.say("%s: %s", cmd, w.id(id))
}
