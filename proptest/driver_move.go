package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// remote is another scheduler: fibers that move out go there, and fibers that move in come from
// there.
type remote struct {
	*scheduler.Scheduler[spec.Slot]
	there []remoteFiber
}

// remoteFiber is a fiber there, with what it has brought along.
type remoteFiber struct {
	id    fiber.RegularID
	masks uint8
	last  fiber.Result // of its last wait
}

// maxRemote is how many fibers are kept there, to come back; more are killed.
const maxRemote = 3

func newRemote() *remote {
	return &remote{Scheduler: scheduler.New[spec.Slot](scheduler.Config{Number: schedulerNumber + 1})}
}

// takeIn brings in a fiber that has moved out. If there are too many, the oldest is killed.
func (a *remote) takeIn(m scheduler.Moved[spec.Slot], masks uint8, last fiber.Result) error {
	id, err := a.Moves().MoveIn(m)
	if err != nil {
		return err
	}
	a.there = append(a.there, remoteFiber{id, masks, last})
	if len(a.there) > maxRemote {
		err = a.Kill(a.there[0].id.ID(), nil)
		a.there = a.there[1:]
		a.Poll()
	}
	return err
}

// find is the place of a fiber that has masked its cancellation so often; it makes one if there is
// none.
func (a *remote) find(masks uint8) (int, error) {
	for i, t := range a.there {
		if t.masks == masks {
			return i, nil
		}
	}
	return len(a.there), a.raise(masks)
}

func (a *remote) raise(masks uint8) error {
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
	a.there = append(a.there, remoteFiber{id: id, masks: masks})
	return err
}

// moveOut takes the fiber out by name or, if it is the last of the queue, as work stealing does.
func moveOut(r *Harness, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	f := a.Slot()
	m, err := r.leaves(from, f, from.Contexts[f].Status != to.Contexts[f].Status)
	if err != nil {
		return spec.NoAnswer, err
	}
	if m.Data != f {
		return spec.NoAnswer, errorf("%v moves out, not %v", m.Data, f)
	}
	return spec.NoAnswer, r.remote.takeIn(m, from.Fibers[f].Masks, r.ledger.wait[f].result)
}

func (r *Harness) leaves(s *spec.State, f spec.Slot, may bool) (m scheduler.Moved[spec.Slot], err error) {
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

// moveIn brings a fiber in. A refusal leaves it as it is: it goes back.
func moveIn(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	i, err := r.remote.find(a.B)
	if err != nil {
		return spec.NoAnswer, err
	}
	t := r.remote.there[i]
	r.remote.there = append(r.remote.there[:i:i], r.remote.there[i+1:]...)
	m, err := r.remote.Moves().MoveOut(t.id)
	if err != nil {
		return spec.NoAnswer, err
	}
	m.Data = a.Slot()
	id, err := r.Scheduler.Moves().MoveIn(m)
	if err != nil {
		if back := r.remote.takeIn(m, t.masks, t.last); back != nil {
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

// OwnerDied wakes no fiber.
func (*bonds) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup { return dst }

// Died decides nothing.
func (*bonds) Died(_ fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	return wakes, orders
}

// tie has the current fiber own a lock, or link itself.
func tie(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	b := &bonds{linked: r.odd()}
	if b.linked {
		r.Scheduler.Attachments().Link(b)
	} else {
		r.Scheduler.Attachments().Own(b)
	}
	r.names.bonds[from.Current] = b
	return spec.NoAnswer, nil
}

func untie(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
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

// bookMoves counts the fibers that move in and out (I12).
func (l *ledger) bookMoves(a spec.Action) {
	switch a.Kind {
	case spec.MoveOut:
		l.counts.MovedOut++
	case spec.MoveIn:
		l.cause[a.A], l.verdict[a.A] = nil, nil
		l.counts.MovedIn++
	}
}
