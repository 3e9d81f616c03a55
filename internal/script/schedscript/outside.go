package schedscript

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// poll is the step between time slices, for all the commands that end with one.
func (w *world) poll() {
	found := "no fiber is ready"
	if w.s.Poll() {
		found = "a fiber is ready"
	}
	w.answer("%v, %s", w.s.Now(), found)
}

func (w *world) cmdTick(d time.Duration) {
	w.clock.Advance(w.clock.Now().After(d))
	if w.s.Current() != 0 {
		w.answer("the clock says %v; the loop does not poll while %s runs", w.clock.Now(), w.id(w.s.Current()))
		return
	}
	w.poll()
}

func (w *world) cmdAdvance() {
	v := w.s.Steps().IdleVerdictWithReport()
	if v.Kind != scheduler.Waiting || v.Until == fiber.Never {
		w.answer("there is no deadline to wait for: %v", v.Kind)
		return
	}
	w.clock.Advance(v.Until)
	w.poll()
}

// message is a command for the inbox.
type message struct {
	kind string
	post func() error
}

func (a *args) message() message {
	box := a.w.s.Inbox()
	m := message{kind: a.word("what to post")}
	switch m.kind {
	case "deliver":
		t, code := a.ticket(), a.code()
		m.post = func() error { return box.Deliver(t, fiber.Result{Code: code}) }
	case "complete":
		tok, end := a.token(), a.result()
		m.post = func() error { return box.Complete(tok, end) }
	case "cancel":
		id, cause := a.fiber(), a.cause()
		m.post = func() error { return box.Cancel(id, cause) }
	case "kill":
		id, cause := a.fiber(), a.cause()
		m.post = func() error { return box.Kill(id, cause) }
	default:
		a.fail("%q cannot be posted; want deliver, complete, cancel or kill", m.kind)
	}
	return m
}

func (w *world) cmdPost(m message) { w.answerUnless(m.post(), "%s", m.kind) }

func (w *world) cmdSender(name string) {
	w.named[name] = w.s.Inbox().NewSender()
	w.answer("%s is open", name)
}
