package reactor

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// ask asks a slice to make room each time it has run for another Config.Slice, and reports
// it once, when it was asked often enough.
func (r *Reactor[T]) ask(s *Slice[T], ran time.Duration) {
	before, times := s.asked, int(ran/r.cfg.Slice)
	if times == before {
		return
	}
	s.preempt.Store(true)
	s.asked = times
	if before >= r.cfg.Refusals || times < r.cfg.Refusals {
		return
	}
	if r.cfg.Stalled != nil {
		r.cfg.Stalled(Stall{ID: s.ID, For: ran, Asked: r.cfg.Refusals})
	}
	if r.cfg.KillStalled {
		_ = r.sched.Kill(s.ID.ID(), ErrStalled) // it lives: it is lent
	}
}

// nextLook is when the loop has to wake although nothing happens: at the deadline, or
// earlier if checkPreemption or strand has something to do then.
func (r *Reactor[T]) nextLook(deadline fiber.Time) fiber.Time {
	if len(r.flights) == 0 {
		return deadline
	}
	look := r.cfg.Slice
	for _, s := range r.flights {
		if ran, began := r.crew.running(s); began {
			look = min(look, max(r.cfg.Slice*time.Duration(s.asked+1)-ran, 1))
		}
	}
	if r.loop.StopCause() != nil {
		look = min(look, r.cfg.Drain)
	}
	return min(deadline, r.sched.Now().After(look))
}

// strand ends a run whose slices do not end although it is over.
func (r *Reactor[T]) strand() (over bool, err error) {
	cause := r.loop.StopCause()
	if cause == nil {
		return false, nil
	}
	if r.ending.IsZero() {
		r.ending = time.Now()
	}
	if time.Since(r.ending) < r.cfg.Drain {
		return false, nil
	}
	e := &StragglersError{Cause: cause}
	for _, s := range r.flights {
		e.IDs = append(e.IDs, s.ID)
	}
	return true, e
}
