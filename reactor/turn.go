package reactor

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
)

// turn is one turn of the control loop: the nine steps, in order. Nothing in it waits but the
// last, and that only after a turn in which there was nothing to do.
func (r *Reactor[T]) turn(ctx context.Context) (over bool, err error) {
	r.drainResults()
	r.drainSubmissions()
	r.drainCompletions()
	r.checkTimers()
	r.resolveWaiters()
	r.drainInjector()
	r.checkPreemption()
	r.dispatch()
	return r.wait(ctx)
}

// drainResults takes back one slice, the first that has ended, or in an ordered run the
// first that was handed out, and does what it has left to be done. One a turn, so that
// nothing else waits for many. If it ended with an operation, that is for resolveWaiters.
func (r *Reactor[T]) drainResults() {
	r.arrived = r.crew.collect(r.arrived)
	s := r.next()
	if s == nil {
		return
	}
	r.sched.Moves().Recall(s.ID)
	for _, do := range s.effects {
		do(r.sched)
	}
	if s.await == nil {
		r.end(s)
		return
	}
	r.sched.Moves().Lend()
	r.asks = s
}

// drainSubmissions has the devices begin the operations that fibers submitted, and cancel
// those that nobody waits for any more.
func (r *Reactor[T]) drainSubmissions() {
	r.served = r.sched.Inspect().Transitions()
	r.acted = false
	r.sched.Steps().DrainSubmissions()
}

// drainCompletions has the devices complete the operations that have ended.
func (r *Reactor[T]) drainCompletions() { r.sched.Steps().DrainCompletions() }

// checkTimers ends the waits whose deadline has come, and tells the alarms.
func (r *Reactor[T]) checkTimers() { r.sched.Steps().CheckTimers() }

// resolveWaiters begins the operation with which the slice of this turn ended: a channel, a
// lock, a device answers or has the fiber wait, and whom that wakes is woken at once.
func (r *Reactor[T]) resolveWaiters() {
	if s := r.asks; s != nil {
		r.asks = nil
		r.sched.Moves().Recall(s.ID)
		r.end(s)
	}
}

// drainInjector carries out what other goroutines have posted: wakes, spawns, cancels, kills
// and the completions of devices that have no better way, in the order in which they came.
func (r *Reactor[T]) drainInjector() {
	if r.sched.Steps().DrainCommands() {
		r.acted = true
	}
}

// checkPreemption asks slices to make room that have run for long, or whose fiber is to
// die, and reports those that do not.
func (r *Reactor[T]) checkPreemption() {
	for _, s := range r.flights {
		if r.sched.Unwind().KillPending(s.ID.ID()) {
			s.preempt.Store(true)
		}
		if ran, began := r.crew.running(s); began {
			r.ask(s, ran)
		}
	}
}

// dispatch gives ready fibers a slice each, a batch at most, while the workers have room.
// Nobody begins after the run has ended.
func (r *Reactor[T]) dispatch() {
	r.loop.CheckStop()
	r.sched.Steps().BeginBatch()
	for len(r.flights) < r.cfg.InFlight {
		f := r.sched.ScheduleNext()
		if f == nil {
			return
		}
		r.begin(f)
	}
}

// wait sleeps until something happens, if nothing can be done now: no result is there,
// nothing has been begun since the devices were served, no fiber is ready, or the workers
// have no room.
func (r *Reactor[T]) wait(ctx context.Context) (over bool, err error) {
	r.arrived = r.crew.collect(r.arrived)
	if r.landed() || r.acted || r.sched.Inspect().Transitions() != r.served {
		return false, nil
	}
	v := r.sched.Steps().IdleVerdictWithReport()
	until := v.Until
	switch {
	case v.Kind != scheduler.Busy:
		if over, err = r.loop.Finished(v); over {
			return true, err
		}
	case len(r.flights) < r.cfg.InFlight:
		return false, nil
	default:
		until = r.sched.Steps().NextDeadline()
	}
	if over, err := r.strand(); over {
		return true, err
	}
	r.sched.Steps().WaitForInput(ctx, r.nextLook(until))
	return false, nil
}
