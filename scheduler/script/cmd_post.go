package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func cmdPost(w *world, a *args) {
	box := w.s.Inbox()
	var post func() error
	what := a.word("what to post")
	switch what {
	case "deliver":
		t, code := a.ticket(), a.code()
		post = func() error { return box.Deliver(t, fiber.Result{Code: code}) }
	case "complete":
		tok := a.token()
		value, err := a.value()
		post = func() error { return box.Complete(tok, ioqueue.Completion{Value: value, Err: err}) }
	case "cancel":
		id, cause := a.fiber(), a.cause()
		post = func() error { return box.Cancel(id, cause) }
	case "kill":
		id, cause := a.fiber(), a.cause()
		post = func() error { return box.Kill(id, cause) }
	default:
		a.fail("%q cannot be posted; want deliver, complete, cancel or kill", what)
	}
	if !a.done() {
		return
	}
	if err := post(); err != nil {
		w.deny("post", err)
		return
	}
	w.say("post: %s", what)
}
