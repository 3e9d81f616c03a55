package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

func armQueue(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	var t fiber.Ticket
	reason := fiber.OnQueue().WithDeadline(r.deadline(a))
	switch {
	case r.byObjects(from):
		t = r.armWithObjects(reason)
	case r.odd() && reason.Deadline == fiber.Never:
		t = r.Scheduler.ArmForQueue()
	default:
		t = r.Scheduler.Arm(reason)
	}
	return spec.NoAnswer, r.publish(t, from, to)
}

// armIO names the token the executing context's root holds; if it holds none, one that
// is not its own.
func armIO(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	k, holds := from.TokenOf(from.Current)
	tok := r.names.foreign(from, r.bounds.Tokens)
	if holds {
		tok = r.names.token[k]
	}
	t := r.Scheduler.Arm(fiber.OnIO(tok).WithDeadline(r.deadline(a)))
	if holds && from.Tokens[k].State == spec.Done {
		if err := r.collect(from.Current, tok, r.ledger.kept[k]); err != nil {
			return spec.NoAnswer, err
		}
	}
	return spec.NoAnswer, r.publish(t, from, to)
}

// publish notes the ticket of the wait that was just armed.
func (r *Rig) publish(t fiber.Ticket, from, to *spec.State) error {
	x := from.Exec()
	if x == spec.NoSlot || t.ID != r.names.id[x] {
		return errorf("arms %v for %v", t, r.names.context(x))
	}
	n := newNumber(x, from, to)
	if n == spec.NoNumber {
		return errorf("arms %v where it should not", t)
	}
	r.names.ticket[x][n] = t
	r.names.last = t.Seq
	return nil
}

// foreign is a token that the current fiber does not hold: of another fiber if there
// is one, else one that is over.
func (n *names) foreign(s *spec.State, tokens int) fiber.Token {
	for k := range tokens {
		if t := &s.Tokens[k]; t.State != spec.Free && t.Owner != s.Current {
			return n.token[k]
		}
	}
	return n.token[0]
}

// disarm: the model has no answer, but the caller is told whether there is a result.
func disarm(r *Rig, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	result, has := r.Scheduler.Disarm()
	x := from.Exec()
	if latched := from.Contexts[x].Latch == spec.Latched; has != latched {
		return spec.NoAnswer, errorf("Disarm has a result: %v, the wait is latched: %v", has, latched)
	}
	if has && result != r.ledger.wait[x].result {
		return spec.NoAnswer, errorf("Disarm returns %v, the wait ended with %v", result, r.ledger.wait[x].result)
	}
	return spec.NoAnswer, nil
}

func block(r *Rig, _ *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	return r.blocked(r.Scheduler.Block())
}

// blocked is what Block says in the words of the model. Which of the two interrupted
// it the caller learns from Claim.
func (r *Rig) blocked(how scheduler.Blocking) (spec.Answer, error) {
	switch how {
	case scheduler.Parked:
		return spec.AnswerParked, nil
	case scheduler.Pinned:
		return spec.AnswerPinned, nil
	case scheduler.Requeued:
		return spec.AnswerRequeued, nil
	case scheduler.Resumed:
		return spec.AnswerResumed, nil
	case scheduler.Interrupted:
		switch _, result := r.Scheduler.Claim(); result.Code {
		case fiber.Cancelled:
			return spec.AnswerCancelled, nil
		case fiber.Killed:
			return spec.AnswerKilled, nil
		}
	}
	return spec.NoAnswer, errorf("blocks: %v", how)
}
