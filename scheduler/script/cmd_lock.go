package script

import "github.com/selvage-dev/selvage/fiber"

// The owner of a mutex is the root fiber, whichever member of its chain locks.

func cmdLock(w *world, a *args) {
	m := a.mutex()
	r := a.by(fiber.OnQueue())
	p := w.actor(a)
	if p == nil {
		return
	}
	root := w.s.Current()
	ok, err := m.TryLock(root)
	switch {
	case err != nil:
		w.deny("lock", err)
	case ok:
		w.s.Attachments().Own(m.Mutex)
		w.say("lock: %s has %s", w.id(root), m.name)
	default:
		park := func(t fiber.Ticket) error { return m.ParkLock(t, root) }
		w.suspend("lock", p, r, park, w.collectsLock(m), m.Mutex)
	}
}

// collectsLock is the end of a wait for a mutex.
func (w *world) collectsLock(m *lock) ending {
	return func(t fiber.Ticket, r fiber.Result) string {
		switch {
		case r.Code == fiber.OK && m.Collect(t):
			w.s.Attachments().Own(m.Mutex)
			return "ok: " + w.id(m.Owner()) + " has " + m.name
		case r.Code == fiber.Failed && m.Err() != nil:
			return "failed: " + w.named(m.Err().Error())
		}
		return w.plain(t.ID, r)
	}
}

func cmdUnlock(w *world, a *args) {
	m := a.mutex()
	if !a.done() {
		return
	}
	if w.s.Current() == 0 {
		a.fail("nobody runs; mount a fiber first, with next")
		return
	}
	up, err := m.Unlock(w.s.Current())
	if err != nil {
		w.deny("unlock", err)
		return
	}
	w.s.Attachments().Disown(m.Mutex)
	w.wake(up)
	w.say("unlock: %s", w.named(m.Describe()))
}
