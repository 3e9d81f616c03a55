package explore

import "github.com/selvage-dev/selvage/scheduler"

// replay runs one schedule.
type replay struct {
	answers []int
	at      int
	begun   bool
}

// Replay is the strategy of a single run, that of a schedule.
func Replay(s Schedule) Strategy { return &replay{answers: s.answers()} }

func (s *replay) Begin() bool {
	first := !s.begun
	s.begun, s.at = true, 0
	return first
}

// Choose answers the default where the schedule has ended, or has an option that is not there.
func (s *replay) Choose(c scheduler.Choice) int {
	i := 0
	if s.at < len(s.answers) {
		i = s.answers[s.at]
	}
	s.at++
	if i >= c.Options {
		return 0
	}
	return i
}

func (s *replay) Complete() string { return "the schedule" }
