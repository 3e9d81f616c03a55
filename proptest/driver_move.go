package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// abroad is another scheduler, where those are who have moved out, and from where those come
// who move in.
type abroad struct {
	*scheduler.Scheduler[spec.Slot]
	there []traveler
}

// traveler is somebody abroad, with what it has brought from elsewhere.
type traveler struct {
	id    fiber.RegularID
	masks uint8
	last  fiber.Result // of its last wait
}

// mostAbroad is how many are kept there, to come back; more are killed.
const mostAbroad = 3

func newAbroad() *abroad {
	return &abroad{Scheduler: scheduler.New[spec.Slot](scheduler.Config{Number: schedulerNumber + 1})}
}

// takeIn brings in who has moved out. Whoever has been there longest goes for it.
func (a *abroad) takeIn(m scheduler.Moved[spec.Slot], masks uint8, last fiber.Result) error {
	id, err := a.Moves().MoveIn(m)
	if err != nil {
		return err
	}
	a.there = append(a.there, traveler{id, masks, last})
	if len(a.there) > mostAbroad {
		err = a.Kill(a.there[0].id.ID(), nil)
		a.there = a.there[1:]
		a.Poll()
	}
	return err
}

// find is where somebody is who has masked its cancellation so often; there may have to be
// one more.
func (a *abroad) find(masks uint8) (int, error) {
	for i, t := range a.there {
		if t.masks == masks {
			return i, nil
		}
	}
	return len(a.there), a.raise(masks)
}

func (a *abroad) raise(masks uint8) error {
	id, err := a.SpawnWith(spec.NoSlot, scheduler.Options{Movable: true})
	for a.Current() != id.ID() {
		if a.Current() != 0 {
			a.YieldCurrent()
		}
		if a.ScheduleNext() == nil {
			a.Poll()
		}
	}
	for range masks {
		a.Unwind().Mask()
	}
	a.YieldCurrent()
	a.there = append(a.there, traveler{id: id, masks: masks})
	return err
}

// moveOut takes the fiber out by name or, if it is the last of the queue, as a thief does.
func moveOut(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	f := a.Slot()
	m, err := r.leaves(from, f, from.Contexts[f].Status != to.Contexts[f].Status)
	if err != nil {
		return spec.NoAnswer, err
	}
	if m.Data != f {
		return spec.NoAnswer, errorf("%v moves out, not %v", m.Data, f)
	}
	return spec.NoAnswer, r.abroad.takeIn(m, from.Fibers[f].Masks, r.ledger.wait[f].result)
}

func (r *Rig) leaves(s *spec.State, f spec.Slot, may bool) (m scheduler.Moved[spec.Slot], err error) {
	if may && r.odd() && s.Queue()[s.ReadyLen-1] == f {
		all := r.Scheduler.Moves().MoveOutLast(1, nil)
		if len(all) != 1 {
			return m, errorf("%d are at the end of the ready queue and may move", len(all))
		}
		return all[0], nil
	}
	id, _ := r.names.dead(f).Regular()
	return r.Scheduler.Moves().MoveOut(id)
}

// moveIn brings somebody in. A refusal leaves it as it is: it goes back.
func moveIn(r *Rig, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	i, err := r.abroad.find(a.B)
	if err != nil {
		return spec.NoAnswer, err
	}
	t := r.abroad.there[i]
	r.abroad.there = append(r.abroad.there[:i:i], r.abroad.there[i+1:]...)
	m, err := r.abroad.Moves().MoveOut(t.id)
	if err != nil {
		return spec.NoAnswer, err
	}
	m.Data = a.Slot()
	id, err := r.Scheduler.Moves().MoveIn(m)
	if err != nil {
		if back := r.abroad.takeIn(m, t.masks, t.last); back != nil {
			return spec.NoAnswer, back
		}
		return spec.NoAnswer, err
	}
	r.names.id[a.Slot()], r.names.movable[a.Slot()] = id.ID(), true
	r.ledger.wait[a.Slot()] = ending{result: t.last}
	return spec.NoAnswer, nil
}

// bonds is what ties a fiber to its scheduler: a lock that it owns, and a link.
type bonds struct{ linked bool }

// OwnerDied lets nobody go on.
func (*bonds) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup { return dst }

// Died decides nothing.
func (*bonds) Died(_ fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	return wakes, orders
}

// tie has the current fiber own a lock, or link itself.
func tie(r *Rig, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	b := &bonds{linked: r.odd()}
	if b.linked {
		r.Scheduler.Attachments().Link(b)
	} else {
		r.Scheduler.Attachments().Own(b)
	}
	r.names.bonds[from.Current] = b
	return spec.NoAnswer, nil
}

func untie(r *Rig, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	b := new(bonds)
	if from.Current != spec.NoSlot {
		b = r.names.bonds[from.Current]
	}
	if b.linked {
		r.Scheduler.Attachments().Unlink(b)
	} else {
		r.Scheduler.Attachments().Disown(b)
	}
	return spec.NoAnswer, nil
}

// bookMoves counts those who come and go (I12).
func (l *ledger) bookMoves(a spec.Action) {
	switch a.Kind {
	case spec.MoveOut:
		l.counts.MovedOut++
	case spec.MoveIn:
		l.cause[a.A], l.verdict[a.A] = nil, nil
		l.counts.MovedIn++
	}
}
