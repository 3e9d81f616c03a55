package script

import "github.com/selvage-dev/selvage/fiber"

func cmdDisarm(w *world, a *args) {
	if !a.done() {
		return
	}
	r, came := w.s.Disarm()
	p := w.executing()
	t, end := p.armed, p.wait
	p.armed, p.wait = fiber.Ticket{}, nil
	if !came {
		w.say("disarm: %s, nothing had come", w.ticket(t))
		return
	}
	s := w.plain(t.ID, r)
	if end != nil {
		s = end(t, r)
	}
	w.say("disarm: %s had come: %s", w.ticket(t), s)
}
