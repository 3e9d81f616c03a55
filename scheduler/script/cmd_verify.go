package script

func cmdVerify(w *world, a *args) {
	if !a.done() {
		return
	}
	w.s.Inspect().Verify()
	w.say("verify: ok")
}
