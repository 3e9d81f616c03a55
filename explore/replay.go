package explore

import "github.com/selvage-dev/selvage/scheduler"

// replay runs one schedule. It does not expand the defaults: the text of a schedule may come from
// anywhere, and a few bytes may stand for millions of them.
type replay struct {
	steps    []step // that are left
	defaults int    // before the first of them, that were answered
	begun    bool
}

// Replay is the strategy of a single run, that of a schedule.
func Replay(s Schedule) Strategy { return &replay{steps: s.steps} }

func (s *replay) Begin() bool {
	first := !s.begun
	s.begun = true
	return first
}

// Choose answers the default where the schedule has ended, or has an option that is not there.
func (s *replay) Choose(c scheduler.Choice) int {
	if len(s.steps) == 0 || s.defaults < s.steps[0].defaults {
		s.defaults++
		return 0
	}
	option := s.steps[0].option
	s.steps, s.defaults = s.steps[1:], 0
	if option >= c.Options {
		return 0
	}
	return option
}

func (s *replay) Complete() string { return "the schedule" }
