package script

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/transcript"
	"github.com/selvage-dev/selvage/wait"
)

func cmdRecv(w *world, a *args) {
	ch := a.channel()
	r := a.by(fiber.OnQueue())
	p := w.actor(a)
	if p == nil || w.tryRecv("recv", ch) {
		return
	}
	end := func(t fiber.Ticket, r fiber.Result) string {
		if v, ok := ch.Collect(t); ok && r.Code == fiber.OK {
			return "ok: " + ch.name + " gave " + transcript.Show(v)
		}
		return w.plain(t.ID, r)
	}
	park := func(t fiber.Ticket) error { return ch.ParkRecv(t, 0) }
	w.suspend("recv", p, r, park, end, ch.Chan.Source())
}

// tryRecv receives without waiting; false if that would block.
func (w *world) tryRecv(cmd string, ch *channel) bool {
	v, status, up := ch.TryRecv()
	switch status {
	case wait.Empty:
		return false
	case wait.Received:
		w.say("%s: %s gave %s", cmd, ch.name, transcript.Show(v))
	case wait.Closed:
		w.say("%s: %s is closed and drained", cmd, ch.name)
	}
	w.wake(up)
	return true
}

func cmdTryRecv(w *world, a *args) {
	ch := a.channel()
	if a.done() && !w.tryRecv("try-recv", ch) {
		w.say("try-recv: %s would block", ch.name)
	}
}
