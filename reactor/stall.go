package reactor

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// requestYield asks a slice to end each time it has run for another Config.StallAfter, and
// reports it once, when it has ignored Config.Refusals requests. It can only ask: Go code cannot be
// stopped from outside, so a slice that never polls Preempted keeps its worker.
func (r *Reactor[T]) requestYield(s *Slice[T], ran time.Duration) {
	// Derived from the time and not counted in turns: the loop may have been busy, or asleep.
	before, now := s.requests, int(ran/r.cfg.StallAfter)
	if now == before {
		return
	}
	s.preempt.Store(true)
	s.requests = now
	if before >= r.cfg.Refusals || now < r.cfg.Refusals || r.cfg.Stalled == nil {
		return
	}
	if cause := r.cfg.Stalled(s.ID, ran); cause != nil {
		_ = r.sched.Kill(s.ID.ID(), cause) // no error: the fiber is lent, so it is alive
	}
}

// nextCheck is when the loop must wake up if nothing happens: at the deadline, or earlier if
// checkPreemption or checkStragglers has something to do before it.
func (r *Reactor[T]) nextCheck(deadline fiber.Time) fiber.Time {
	if len(r.inFlight) == 0 {
		return deadline
	}
	delay := r.cfg.StallAfter
	for _, s := range r.inFlight {
		if ran, began := r.workers.running(s); began {
			// At least 1 ns: a request may have become due since checkPreemption.
			delay = min(delay, max(r.cfg.StallAfter*time.Duration(s.requests+1)-ran, 1))
		}
	}
	if r.loop.StopCause() != nil {
		delay = min(delay, r.cfg.Drain)
	}
	return min(deadline, r.sched.Now().After(delay))
}
