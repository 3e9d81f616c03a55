package reactor

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// turn is one turn of the control loop. Nothing in it waits but the last step, and that
// only when there is nothing else to do.
func (r *Reactor[T]) turn(ctx context.Context) (over bool, err error) {
	r.drainResults()
	r.serve()
	r.checkPreemption()
	r.dispatch()
	return r.wait(ctx)
}

// drainResults applies what one slice has left: the first that has ended, or in an ordered
// run the first that was handed out. What it decides about others, in channels and locks,
// is decided and delivered at once.
func (r *Reactor[T]) drainResults() {
	r.loop.Heed()
	r.arrived = r.crew.collect(r.arrived)
	if s := r.next(); s != nil {
		r.apply(s)
		r.loop.Heed() // nobody begins after main has returned
	}
}

// next is the slice to be applied, off the list of flights, or nil. A result of a flight
// that has landed, or that there never was, is counted and forgotten.
func (r *Reactor[T]) next() *Slice[T] {
	for len(r.arrived) > 0 {
		at := r.flightOf(r.arrived[0])
		r.arrived[0] = result[T]{}
		r.arrived = r.arrived[1:]
		switch {
		case at < 0:
			r.strays++
		case r.cfg.Ordered:
			r.flights[at].done = true
		default:
			return r.land(at)
		}
	}
	if len(r.flights) > 0 && r.flights[0].done {
		return r.land(0)
	}
	return nil
}

func (r *Reactor[T]) flightOf(ended result[T]) int {
	for i, s := range r.flights {
		if s == ended.slice && s.flight == ended.flight && !s.done {
			return i
		}
	}
	return -1
}

func (r *Reactor[T]) land(i int) *Slice[T] {
	s := r.flights[i]
	copy(r.flights[i:], r.flights[i+1:])
	r.flights[len(r.flights)-1] = nil
	r.flights = r.flights[:len(r.flights)-1]
	return s
}

// serve is what every scheduler does between slices, in this order: commands and
// completions from other goroutines, as they came (DESIGN §7: one ordered ingress);
// operations that were submitted go to their devices, and abandoned ones are cancelled;
// due timers.
func (r *Reactor[T]) serve() { r.sched.Poll() }

// dispatch gives ready fibers a slice each while the workers have room.
func (r *Reactor[T]) dispatch() {
	for len(r.flights) < r.cfg.InFlight {
		f := r.sched.ScheduleNext()
		switch {
		case f != nil:
			r.begin(f)
		case !r.sched.Poll():
			return
		}
	}
}

// wait sleeps until something happens, if nothing can be done now: no result is there, no
// fiber is ready, or the workers have no room.
func (r *Reactor[T]) wait(ctx context.Context) (over bool, err error) {
	if r.arrived = r.crew.collect(r.arrived); len(r.arrived) > 0 || len(r.flights) > 0 && r.flights[0].done {
		return false, nil
	}
	v := r.sched.Idle()
	until := v.Until
	switch {
	case v.Kind != scheduler.Busy:
		if over, err = r.loop.Over(v); over {
			return true, err
		}
	case len(r.flights) < r.cfg.InFlight:
		return false, nil
	default:
		until = r.sched.NextDeadline()
	}
	if over, err := r.strand(); over {
		return true, err
	}
	if look := r.nextLook(); look > 0 {
		until = min(until, r.sched.Now().After(look))
	}
	r.sched.Park(ctx, until)
	return false, nil
}

// strand ends a run whose slices do not end although it is over.
func (r *Reactor[T]) strand() (over bool, err error) {
	cause := r.loop.Ending()
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

// checkPreemption asks slices to make room that have run for long, or whose fiber is to
// die, and reports those that do not.
func (r *Reactor[T]) checkPreemption() {
	for _, s := range r.flights {
		if r.sched.Doomed(s.ID.ID()) {
			s.preempt.Store(true)
		}
		ran, began := r.crew.running(s)
		for began && ran >= r.cfg.Slice*time.Duration(s.asked+1) {
			r.ask(s, ran)
		}
	}
}

func (r *Reactor[T]) ask(s *Slice[T], ran time.Duration) {
	s.preempt.Store(true)
	if s.asked++; s.asked != r.cfg.Refusals {
		return
	}
	if r.cfg.Stalled != nil {
		r.cfg.Stalled(Stall{ID: s.ID, For: ran, Asked: s.asked})
	}
	if r.cfg.KillStalled {
		_ = r.sched.Kill(s.ID.ID(), ErrStalled) // it lives: it is lent
	}
}

// nextLook is how soon checkPreemption has something to do if nothing happens; 0: nothing.
func (r *Reactor[T]) nextLook() (look time.Duration) {
	for _, s := range r.flights {
		left := r.cfg.Slice
		if ran, began := r.crew.running(s); began {
			left = max(r.cfg.Slice*time.Duration(s.asked+1)-ran, 1)
		}
		if look == 0 || left < look {
			look = left
		}
	}
	if look > 0 && r.loop.Ending() != nil {
		look = min(look, r.cfg.Drain)
	}
	return look
}
