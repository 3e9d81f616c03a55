package actor

import (
	"slices"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// restart is an actor to be restarted at an instant. It is void if the actor has ended
// since, or another restart was decided.
type restart[M any] struct {
	actor *actor[M]
	n     uint64
	at    fiber.Time
}

func (r restart[M]) void() bool { return r.actor.life != down || r.actor.restart != r.n }

// restartAfter decides the next restart of an actor that is down.
func (s *System[M]) restartAfter(a *actor[M], delay time.Duration) {
	s.restarts++
	a.restart = s.restarts
	r := restart[M]{a, s.restarts, s.Now().After(delay)}
	if a.unstarted {
		s.failedStarts++
	}
	if delay <= 0 && (!a.unstarted || s.failedStarts <= s.opts.Fuel) {
		s.restartSoon(r)
		return // else in the next turn: those who fail at once must not make this one endless
	}
	i, _ := slices.BinarySearchFunc(s.delayed, r, func(x, y restart[M]) int {
		if x.at <= y.at { // equal ones in the order of the decisions
			return -1
		}
		return 1
	})
	s.delayed = slices.Insert(s.delayed, i, r)
}

// restartSoon has it done before the next command.
func (s *System[M]) restartSoon(r restart[M]) {
	s.later(func() {
		if !r.void() {
			s.actors.begin(r.actor, &Context[M]{sys: s, self: r.actor.self, of: r.actor})
			s.begin(r.actor)
		}
	})
}

// releaseDelayed takes up the restarts whose time has come.
func (s *System[M]) releaseDelayed() {
	n := 0
	for ; n < len(s.delayed) && s.delayed[n].at <= s.Now(); n++ {
		s.restartSoon(s.delayed[n])
	}
	s.delayed = slices.Delete(s.delayed, 0, n)
}

// wake is when the system wants a turn, whatever its queue holds; fiber.Never: not at all. It
// forgets what is void, so that no fiber waits for it.
func (s *System[M]) wake() fiber.Time {
	n := 0
	for n < len(s.delayed) && s.delayed[n].void() {
		n++
	}
	s.delayed = slices.Delete(s.delayed, 0, n)
	if len(s.delayed) == 0 {
		return fiber.Never
	}
	return s.delayed[0].at
}
