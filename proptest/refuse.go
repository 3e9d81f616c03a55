package proptest

import (
	"errors"
	"slices"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// Refuses has the scheduler, which must be in state s, asked for an action that s does
// not enable, and checks that it is refused as the row says. That nothing has changed
// is for the caller to check. A row without a call is nothing to it.
func (r *Harness) Refuses(row *Refusal, s *spec.State, a spec.Action) error {
	if row.NoCall != "" {
		return nil
	}
	r.step++
	answer, err := r.perform(r.calls[a.Kind], s, a, s)
	switch broken, isContract := errors.AsType[*scheduler.ContractError](err); {
	case row.Rule != "":
		if !isContract || broken.Rule.String() != row.Rule || broken.Op != row.Op {
			return errorf("%v when %s: %v, %v; want %v refused by %s", a, row.When, answer, err, row.Op, row.Rule)
		}
	case row.Verdict:
		return r.isVerdict(err, s.Current)
	case row.Err != nil:
		if isContract || !errors.Is(err, row.Err) {
			return errorf("%v when %s: %v, %v; want the error %v", a, row.When, answer, err, row.Err)
		}
	case err != nil || !slices.Contains(row.Answers, answer):
		return errorf("%v when %s: %v, %v; want one of %v", a, row.When, answer, err, row.Answers)
	}
	return nil
}
