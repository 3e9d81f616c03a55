package proptest

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// interrupted asks, and compares why with what the ledger knows. Where no fiber runs,
// no fiber is interrupted.
func interrupted(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	code, why := r.Scheduler.TakeInterrupt()
	if from.Current == spec.NoSlot {
		if code != fiber.Pending {
			return spec.NoAnswer, errorf("with no current fiber, TakeInterrupt returns %v", code)
		}
		return spec.AnswerRefused, nil
	}
	want := r.ledger.cause[from.Current]
	if root := &from.Fibers[from.Current]; root.Fatal && !root.Doomed {
		return spec.AnswerKilled, r.isVerdict(why, from.Current)
	}
	if code == fiber.Pending {
		want = nil
	}
	if !isCause(why, want) {
		return spec.NoAnswer, errorf("%v is interrupted (%v) because of %v, not of %v", from.Current, code, why, want)
	}
	switch code {
	case fiber.Pending:
		return spec.NoAnswer, nil
	case fiber.Cancelled:
		return spec.AnswerCancelled, nil
	case fiber.Killed:
		return spec.AnswerKilled, nil
	}
	return spec.NoAnswer, errorf("interrupted: %v", code)
}

// matchMasks: how often a fiber has masked its cancellation cannot be asked, but that it
// has not shows: then there is nothing to undo.
func (r *Harness) matchMasks(m *spec.State) error {
	if r.bounds.Masks == 0 || m.Current == spec.NoSlot || m.Fibers[m.Current].Masks > 0 {
		return nil
	}
	err := r.unmaskOnceMore()
	if refused, ok := errors.AsType[*scheduler.ContractError](err); !ok || refused.Op != op.Unmask {
		return errorf("%v has a mask too many: %v", m.Current, err)
	}
	return nil
}

func (r *Harness) unmaskOnceMore() (err error) {
	defer caught(&err)
	r.Scheduler.Unwind().Unmask()
	return nil
}
