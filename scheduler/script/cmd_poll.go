package script

func cmdPoll(w *world, a *args) {
	if !a.done() {
		return
	}
	w.poll("poll")
}

// poll is the step between slices, for all the commands that end with one.
func (w *world) poll(cmd string) {
	found := "nobody is ready"
	if w.s.Poll() {
		found = "a fiber is ready"
	}
	w.say("%s: %v, %s", cmd, w.s.Now(), found)
}
