package script

import (
	"github.com/selvage-dev/selvage/fiber"

	"github.com/selvage-dev/selvage/internal/transcript"
)

func cmdSend(w *world, a *args) {
	ch, v := a.channel(), a.word("a value")
	r := a.by(fiber.OnQueue())
	p := w.actor(a)
	if p == nil {
		return
	}
	if w.trySend("send", ch, v) {
		return
	}
	end := func(t fiber.Ticket, r fiber.Result) string {
		switch {
		case r.Code == fiber.OK && t.ID != 0:
			return "ok: " + ch.name + " took " + transcript.Show(v)
		case r.Code == fiber.Closed && ch.Err() != nil:
			return "closed: " + w.named(ch.Err().Error())
		}
		return w.plain(t.ID, r)
	}
	park := func(t fiber.Ticket) error { return ch.ParkSend(t, v, 0) }
	w.suspend("send", p, r, park, end, ch.Chan.Source())
}

// trySend sends without waiting; false if that would block.
func (w *world) trySend(cmd string, ch *channel, v string) bool {
	ok, up, err := ch.TrySend(v)
	switch {
	case err != nil:
		w.deny(cmd, err)
		return true
	case ok:
		w.say("%s: %s took %s", cmd, ch.name, transcript.Show(v))
		w.wake(up)
	}
	return ok
}

func cmdTrySend(w *world, a *args) {
	ch, v := a.channel(), a.word("a value")
	if a.done() && !w.trySend("try-send", ch, v) {
		w.say("try-send: %s would block", ch.name)
	}
}
