package explore

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
)

// depth runs every schedule once, in the order of a depth-first search: the first one has the default
// at each decision, each later one changes the last decision that has an option left.
type depth struct {
	bound     int // of preemptions; below 0 is none
	path      []branch
	at        int
	preempted int
	begun     bool
}

// branch is one decision on the path of the present run.
type branch struct {
	choice, options int
	preempted       bool // the choice is a preemption
}

// Depth is the strategy of a depth-first search over all schedules. With a bound of 0 or more it
// runs those with at most that many preemptions: switches at points where the fiber could go on. A
// search ends when all were run, and says so.
func Depth(preemptions int) Strategy { return &depth{bound: preemptions} }

// Unbounded is the bound of Depth for all schedules.
const Unbounded = -1

func (s *depth) Begin() bool {
	s.at, s.preempted = 0, 0
	if !s.begun {
		s.begun = true
		return true
	}
	for n := len(s.path); n > 0; n-- {
		last := &s.path[n-1]
		if last.choice++; last.choice < last.options {
			return true
		}
		s.path = s.path[:n-1]
	}
	return false
}

func (s *depth) Choose(c scheduler.Choice) int {
	if s.at == len(s.path) {
		s.path = append(s.path, branch{options: s.allowed(c), preempted: c.Kind == scheduler.ChoosePoint})
	}
	b := s.path[s.at]
	s.at++
	if b.preempted && b.choice > 0 {
		s.preempted++
	}
	return min(b.choice, c.Options-1)
}

func (s *depth) allowed(c scheduler.Choice) int {
	if c.Kind == scheduler.ChoosePoint && s.bound >= 0 && s.preempted >= s.bound {
		return 1
	}
	return c.Options
}

func (s *depth) Complete() string {
	if s.bound < 0 {
		return "all schedules"
	}
	return fmt.Sprintf("all schedules with %d preemptions at most", s.bound)
}
