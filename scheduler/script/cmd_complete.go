package script

import "github.com/selvage-dev/selvage/ioqueue"

func cmdComplete(w *world, a *args) {
	if a.more() {
		if c, ok := w.names[a.words[0]].(*cell); ok {
			a.word("the cell")
			w.completeCell(a, c)
			return
		}
	}
	tok := a.token()
	value, err := a.value()
	if !a.done() {
		return
	}
	v := w.s.Ops().Complete(tok, ioqueue.Completion{Value: value, Err: err})
	w.say("complete: %s %v", w.token(tok), v)
}

func (w *world) completeCell(a *args, c *cell) {
	value, err := a.value()
	if !a.done() {
		return
	}
	ups, err := c.Complete(value, err, nil)
	if err != nil {
		w.deny("complete", err)
		return
	}
	w.wake(ups...)
	w.say("complete: %s", c.name)
}
