package explore

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// spin is how often the same fiber has come to a point of preemption in a row. A loop that polls until
// another fiber has done something would have no end under a schedule that lets only it run.
type spin struct {
	fiber   fiber.ID
	times   int
	decided bool // whether the first fiber for which it is time goes on is decided
	extra   int  // how many points more than maxSpins it has
}

// maxSpins is how often a fiber comes to a point in a row before another one runs, whatever the strategy.
// The loop of the first one may have an end: a decision of the run grants it longSpins more.
const (
	maxSpins  = 200
	longSpins = 250_000
)

func (s *spin) impatient(c scheduler.Choice, choose func(scheduler.Choice) int) bool {
	if c.Kind != scheduler.ChoosePoint {
		return false
	}
	if s.fiber != c.Fibers[0] {
		s.fiber, s.times, s.extra = c.Fibers[0], 0, 0
	}
	if s.times++; s.times <= maxSpins+s.extra {
		return false
	}
	if !s.decided {
		s.decided = true
		if choose(scheduler.Choice{Kind: scheduler.ChooseNumber, Options: 2}) == 1 {
			s.extra = longSpins
			return false
		}
	}
	s.times, s.extra = 0, 0
	return true
}

// creep lets the time advance a little when it has stood still for many steps: a loop that polls until a
// timer is due would have no end.
type creep struct {
	at    fiber.Time
	steps int
}

// The time advances by creepTime after creepSteps transitions and decisions without an advance.
const (
	creepSteps = 1000
	creepTime  = time.Millisecond
	sliceSteps = 50 // for which a time slice counts
)

func (s *creep) step(n int, clock *scheduler.VirtualClock) {
	now := clock.Now()
	if now != s.at {
		s.at, s.steps = now, 0
	}
	if s.steps += n; s.steps >= creepSteps {
		clock.Advance(now.After(creepTime))
	}
}
