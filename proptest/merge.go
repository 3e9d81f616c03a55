package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// merged is one call that arms a wait and blocks in it.
type merged struct {
	name string
	fits func(r *Harness, h *heldArm) bool
	// do returns the ticket, or none where the caller is not told.
	do func(r *Harness, h *heldArm, mid *spec.State) (fiber.Ticket, spec.Answer, error)
}

// merges is the table, the most special first.
func merges() []merged {
	return []merged{
		{"BlockOn", func(r *Harness, h *heldArm) bool {
			return h.action.Kind == spec.ArmQueue && byObjectAlone(r, &h.from, h.action)
		}, blockOn},
		{"Finish, blocking", func(r *Harness, h *heldArm) bool {
			return r.step%4 < 2 && !r.host.Objects && mayGoOn(r, &h.from, h.action)
		}, finishWaiting},
		{"BlockForQueue", func(_ *Harness, h *heldArm) bool { return h.action == spec.Action{Kind: spec.ArmQueue} }, blockForQueue},
		{"BlockForIO", func(_ *Harness, h *heldArm) bool { return h.action == spec.Action{Kind: spec.ArmIO} }, blockForIO},
	}
}

// merge performs what was held back and the Block behind it, which leads from mid to to,
// in one call; false if there is none for both.
func (r *Harness) merge(h *heldArm, mid, to *spec.State) (answer spec.Answer, ok bool, err error) {
	defer caught(&err)
	for i := range r.merges {
		m := &r.merges[i]
		if !m.fits(r, h) {
			continue
		}
		r.step++
		if r.taken != nil {
			r.taken[m.name]++
		}
		t, answer, err := m.do(r, h, mid)
		if err == nil {
			err = r.bookMerged(h, t, answer, mid, to)
		}
		return answer, true, err
	}
	return spec.NoAnswer, false, nil
}

// bookMerged enters both steps. Where the caller is not told the ticket it must be the
// next: a caller could have read it from a report.
func (r *Harness) bookMerged(h *heldArm, t fiber.Ticket, answer spec.Answer, mid, to *spec.State) error {
	x := h.from.Exec()
	if t.IsZero() {
		t = fiber.Ticket{ID: r.names.id[x], Seq: r.names.last + 1}
	}
	if err := r.publish(t, &h.from, mid); err != nil {
		return err
	}
	if k, holds := h.from.TokenOf(h.from.Current); h.action.Kind == spec.ArmIO && holds && h.from.Tokens[k].State == spec.Done {
		if err := r.collect(h.from.Current, r.names.token[k], r.ledger.kept[k]); err != nil {
			return err
		}
	}
	r.ledger.book(r, &h.from, h.action, mid, spec.NoAnswer)
	r.ledger.book(r, mid, spec.Action{Kind: spec.Block}, to, answer)
	return nil
}

// blockOn parks the ticket at the object only if the fiber did park, or is pinned.
func blockOn(r *Harness, h *heldArm, _ *spec.State) (fiber.Ticket, spec.Answer, error) {
	s := r.stallOf(&h.from)
	t, how := r.Scheduler.BlockOn(s)
	if how == scheduler.Parked || how == scheduler.Pinned {
		s.waiting = append(s.waiting, t)
	} else {
		r.ledger.asks++ // the interrupted wait had this object
	}
	answer, err := r.blocked(how)
	return t, answer, err
}

func blockForQueue(r *Harness, _ *heldArm, _ *spec.State) (fiber.Ticket, spec.Answer, error) {
	t, how := r.Scheduler.BlockForQueue()
	answer, err := r.blocked(how)
	return t, answer, err
}

func blockForIO(r *Harness, h *heldArm, _ *spec.State) (fiber.Ticket, spec.Answer, error) {
	answer, err := r.blocked(r.Scheduler.BlockForIO(r.heldToken(&h.from)))
	return fiber.Ticket{}, answer, err
}

func finishWaiting(r *Harness, h *heldArm, mid *spec.State) (fiber.Ticket, spec.Answer, error) {
	answer, err := r.finished(mid, fiber.BlockOn(r.reasonFor(&h.from, h.action)))
	return fiber.Ticket{}, answer, err
}

// reasonFor is the reason of the wait that the action arms.
func (r *Harness) reasonFor(s *spec.State, a spec.Action) fiber.Reason {
	switch a.Kind {
	case spec.ArmIO:
		return fiber.OnIO(r.heldToken(s)).WithDeadline(r.deadline(a))
	case spec.ArmTimer:
		return fiber.Until(r.deadline(a))
	}
	return fiber.OnQueue().WithDeadline(r.deadline(a))
}

func (r *Harness) heldToken(s *spec.State) fiber.Token {
	k, _ := s.TokenOf(s.Current)
	return r.names.token[k]
}
