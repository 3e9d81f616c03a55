package script

func cmdSender(w *world, a *args) {
	name := a.fresh("a sender")
	if !a.done() {
		return
	}
	w.names[name] = w.s.Inbox().NewSender()
	w.say("sender: %s is open", name)
}
