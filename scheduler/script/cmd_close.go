package script

import "github.com/selvage-dev/selvage/scheduler"

func cmdClose(w *world, a *args) {
	if a.more() {
		if s, ok := w.names[a.words[0]].(*scheduler.Sender); ok {
			name := a.word("the sender")
			if a.done() {
				s.Close()
				w.say("close: %s", name)
			}
			return
		}
	}
	ch := a.channel()
	if !a.done() {
		return
	}
	ups, err := ch.Close(nil)
	if err != nil {
		w.deny("close", err)
		return
	}
	w.wake(ups...)
	w.say("close: %s", ch.name)
}
