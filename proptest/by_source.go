package proptest

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/spec"
)

// The variants of objects: what they arm, and the wakes they decide on.

// byObjectAlone: the wait is on one object and has no deadline.
func byObjectAlone(r *Harness, s *spec.State, a spec.Action) bool {
	_, timed := a.Deadline()
	return r.byObjects(s) && !timed
}

// armOn is the wait on one object. The fiber often comes to the one that it last waited
// on, and then to another.
func armOn(r *Harness, from *spec.State, _ spec.Action, to *spec.State) (spec.Answer, error) {
	s := r.stallOf(from)
	t := r.Scheduler.ArmOn(s)
	s.waiting = append(s.waiting, t)
	return spec.NoAnswer, r.publish(t, from, to)
}

// stallOf is where the executing context waits this time.
func (r *Harness) stallOf(s *spec.State) *stall {
	n := int(s.Exec())
	if r.step%5 == 0 {
		n += int(r.step)
	}
	return r.stalls[n%len(r.stalls)]
}

// oneSource: the wait of the slot is on one object and nothing else, so a wake by the object
// needs no check of the source.
func oneSource(r *Harness, s *spec.State, a spec.Action) bool {
	return r.host.Objects && s.Contexts[a.A].Seq != spec.NoNumber && r.ledger.wait[a.A].objects == 1
}

func deliverOneSource(r *Harness, s *spec.State, a spec.Action) bool {
	return opens(s, a.Slot(), a.Number()) && oneSource(r, s, a)
}

func applyBySource(r *Harness, s *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	return r.delivered(r.decideWake(r.names.ticket[a.Slot()][a.Number()]))
}

func wakeBySource(r *Harness, s *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	t := r.names.ticket[a.Slot()][s.Contexts[a.A].Seq]
	if d := r.decideWake(t); d != fiber.Woken {
		return spec.NoAnswer, errorf("the wake by an object of %v: %v", t, d)
	}
	return spec.NoAnswer, nil
}

// decideWake has the object that holds the ticket take it out and decide on its wake.
func (r *Harness) decideWake(t fiber.Ticket) fiber.Delivery {
	for _, s := range r.stalls {
		if i := slices.Index(s.waiting, t); i >= 0 {
			s.waiting = slices.Delete(s.waiting, i, i+1)
			return r.Scheduler.Apply(fiber.Wakeup{Ticket: t, Result: r.result(), From: s.Anchored().Slot()})
		}
	}
	return 0
}
