package trampoline

import "github.com/selvage-dev/selvage/fiber"

// Reentry is one call by native code that keeps no frames while it waits, from Reenter to the end
// of Run, or to Leave. The host keeps it with the state of the fiber. The zero Reentry is none.
type Reentry[T any] struct {
	pool     *Pool[T]
	id       fiber.TrampolineID
	received bool // the fiber had received its cancellation before the call
}

// ID is the call's trampoline; 0 for the zero Reentry.
func (r Reentry[T]) ID() fiber.TrampolineID { return r.id }

// InFlight reports whether the call is under way: Run has not ended it yet.
func (r Reentry[T]) InFlight() bool { return r.id != 0 && r.pool.wayOf(r.id) == ExitAndReenter }

// Run runs the callee for a slice. If !o.Ends(), native code exits and the host returns o from
// Resume; when the fiber runs again, native code is entered again and calls Run with the same callee.
// Otherwise the call has ended and is left.
//
// Errors are those of Pool.Park.
func (r Reentry[T]) Run(callee Callee) (o fiber.Outcome, err error) {
	r.pool.mustBeInFlight("Run", r.id)
	r.pool.mustRun("Run", callee)
	over := true // also if the callee panics
	defer func() {
		if !over {
			return
		}
		r.dropAbove()
		if err = r.pool.end(r.id, err); err != nil {
			o = fiber.Outcome{Kind: fiber.Panic}
		}
	}()
	o, over, err = r.pool.step(callee, r.received)
	return o, err
}

// Leave ends the call where its callee is, with the calls that the callee is in; a wait that is armed
// is taken back. Run calls it when the callee has ended.
func (r Reentry[T]) Leave() {
	r.pool.mustBeInFlight("Leave", r.id)
	r.dropAbove()
	r.pool.leave(r.id)
}

// dropAbove leaves the calls that the callee is in: native code without frames does not unwind, so
// only the outermost call of a killed fiber is entered again.
func (r Reentry[T]) dropAbove() {
	s := r.pool.sched
	if s.Inspect().Poisoned() != nil || !r.InFlight() {
		return
	}
	for {
		top, inCall := s.Inspect().Executing().Trampoline()
		if !inCall || top == r.id || r.pool.wayOf(top) != ExitAndReenter {
			return
		}
		r.pool.leave(top)
	}
}
