package schedscript

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// mutex is a mutex under its name. Its owner is the root fiber, whichever member of the call
// chain locks.
type mutex = wait.Mutex

// policy reads what the death of an owner does.
func (a *args) policy() wait.OwnerDeath {
	if a.is("hand-on") {
		return wait.HandOver
	}
	return wait.Poison
}

func (w *world) cmdMutex(name string, policy wait.OwnerDeath) {
	m := wait.NewMutex(policy)
	m.SetName(name)
	w.named[name] = m
	w.objects = append(w.objects, m.Source().(object))
	w.answer("%s", m.Source().(fiber.Described).Describe())
}

func (w *world) cmdLock(m *mutex, r fiber.Reason) {
	p := w.waiter()
	if p == nil {
		return
	}
	root := w.s.Current()
	ok, err := m.TryLock(root)
	switch {
	case err != nil:
		w.deny(err)
	case ok:
		w.s.Attachments().Own(m.OwnerHook())
		w.answer("%s has %s", w.id(root), m.Name())
	default:
		w.suspend(p, r, func(t fiber.Ticket) error { return m.ParkLock(t, root) }, w.collectsLock(m), m.Source())
	}
}

// collectsLock is the end of a wait for a mutex.
func (w *world) collectsLock(m *mutex) ending {
	return func(t fiber.Ticket, r fiber.Result) string {
		switch {
		case r.Code == fiber.OK && m.Collect(t):
			w.s.Attachments().Own(m.OwnerHook())
			return "ok: " + w.id(m.Owner()) + " has " + m.Name()
		case r.Code == fiber.Failed && m.Err() != nil:
			return "failed: " + w.names.In(m.Err().Error())
		}
		return w.plain(t.ID, r)
	}
}

func (w *world) cmdUnlock(m *mutex) {
	if w.s.Current() == 0 {
		w.reject("no fiber runs; mount a fiber first, with next")
		return
	}
	up, err := m.Unlock(w.s.Current())
	if err != nil {
		w.deny(err)
		return
	}
	w.s.Attachments().Disown(m.OwnerHook())
	w.wake(up)
	w.answer("%s", w.names.In(m.Source().(fiber.Described).Describe()))
}
