package reactor

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
)

// turn is one turn of the control loop: nine steps in a fixed order (decision 0036). Only the
// last one waits, and only after a turn without progress.
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

// drainResults takes back one slice and carries out its effects: the first that ended, or in
// an ordered run the first that was handed out. It takes one a turn, so that timers and I/O never
// wait for many slices. If the slice ended with an operation, resolveWaiters begins that.
func (r *Reactor[T]) drainResults() {
	r.results = r.workers.collect(r.results)
	s := r.nextResult()
	if s == nil {
		return
	}
	// The fiber is current from here on, as during a slice of a sequential run: what the
	// effects do is attributed to it, and its outcome can be given to the scheduler.
	r.sched.Moves().Recall(s.ID)
	for _, do := range s.effects {
		do(r.sched)
	}
	if s.await == nil {
		r.end(s)
		return
	}
	// The operation begins after the devices and timers of this turn, so that it sees their
	// results. Until then the fiber stays lent: no wake-up can be lost, because none is armed.
	r.sched.Moves().Lend()
	r.operation = s
}

// drainSubmissions has the devices begin the operations that fibers submitted, and cancel
// the abandoned ones. What happens after this point may submit more, so wait sleeps only if
// nothing has: servedAt and progressed are reset here, and before the devices are served.
func (r *Reactor[T]) drainSubmissions() {
	r.servedAt = r.sched.Inspect().Transitions()
	r.progressed = false
	r.sched.Steps().DrainSubmissions()
}

// drainCompletions has the devices complete the operations that have ended.
func (r *Reactor[T]) drainCompletions() { r.sched.Steps().DrainCompletions() }

// checkTimers ends the waits whose deadline has passed, and fires the alarms.
func (r *Reactor[T]) checkTimers() { r.sched.Steps().CheckTimers() }

// resolveWaiters begins the operation with which the slice of this turn ended: a channel, a
// lock or a device answers, or the fiber waits for it. Fibers that it wakes are ready at once.
func (r *Reactor[T]) resolveWaiters() {
	if s := r.operation; s != nil {
		r.operation = nil
		r.sched.Moves().Recall(s.ID)
		r.end(s)
	}
}

// drainInjector carries out the commands of other goroutines in order of arrival: wake-ups,
// spawns, cancels, kills, and completions by devices that are not collectors.
func (r *Reactor[T]) drainInjector() {
	if r.sched.Steps().DrainCommands() {
		r.progressed = true
	}
}

// checkPreemption asks slices to end that have run for long or whose fiber was killed, and
// reports those that ignore it.
func (r *Reactor[T]) checkPreemption() {
	for _, s := range r.inFlight {
		if r.sched.Unwind().KillPending(s.ID.ID()) {
			s.preempt.Store(true)
		}
		if ran, began := r.workers.running(s); began {
			r.requestYield(s, ran)
		}
	}
}

// dispatch hands out a slice of each ready fiber, one batch at most, while the workers have
// room. CheckStop comes first: after the run has ended no slice begins. A slice that waits behind
// its group takes no room, so a busy group does not keep the others from the workers.
func (r *Reactor[T]) dispatch() {
	r.loop.CheckStop()
	r.sched.Steps().BeginBatch()
	for len(r.inFlight) < r.cfg.InFlight {
		f := r.sched.ScheduleNext()
		if f == nil {
			return
		}
		r.begin(f)
	}
}

// wait sleeps until something happens, if nothing can be done now: there is no result, the
// scheduler has made no transition since the devices were served, and no fiber is ready or
// the workers have no room.
func (r *Reactor[T]) wait(ctx context.Context) (over bool, err error) {
	// A worker signals the owner after it has posted its result. So a result that comes after
	// this look ends WaitForInput below, or keeps it from sleeping (I9).
	r.results = r.workers.collect(r.results)
	if r.hasResult() || r.progressed || r.sched.Inspect().Transitions() != r.servedAt {
		return false, nil
	}
	v := r.sched.Steps().IdleVerdictWithReport()
	until := v.Until
	switch {
	case v.Kind != scheduler.Busy:
		if over, err = r.loop.Finished(v); over {
			return true, err
		}
	case len(r.inFlight) < r.cfg.InFlight:
		return false, nil // a fiber is ready and the workers have room
	default: // Busy has no Until
		until = r.sched.Steps().NextDeadline()
	}
	if over, err := r.checkStragglers(); over {
		return true, err
	}
	r.sched.Steps().WaitForInput(ctx, r.nextCheck(until))
	return false, nil
}
