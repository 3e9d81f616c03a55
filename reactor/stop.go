package reactor

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// StragglersError is the error of a run whose slices did not all end within Config.Drain.
// Their goroutines go on, and the scheduler must not be used any more. Each of them ends when its
// slice does; its result is then dropped.
type StragglersError struct {
	IDs   []fiber.RegularID
	cause error // what had ended the run
}

// Error names the fibers.
func (e *StragglersError) Error() string {
	return fmt.Sprintf("reactor: the slices of %v did not end: %v", e.IDs, e.cause)
}

// Unwrap is what had ended the run before.
func (e *StragglersError) Unwrap() error { return e.cause }

// closeIO ends the blocking work of a run that is over. Its time limit does not depend on the ctx of
// the run, which has usually ended by now.
func (r *Reactor[T]) closeIO() error {
	ctx, cancel := context.WithTimeout(context.Background(), r.cfg.Drain)
	defer cancel()
	return r.io.Close(ctx)
}

// workersGrace is how long to wait for the workers of a run that is over: not at all if
// stragglers have been waited for already, else without a limit, because no slice is running.
func (r *Reactor[T]) workersGrace() time.Duration {
	if len(r.inFlight) > 0 {
		return 0
	}
	return math.MaxInt64
}

// stopAfterPanic is for a panic on the owner's goroutine: it asks slices and blocking work to
// end and waits for their goroutines, each for Config.Drain at most, before the panic leaves
// Run. The scheduler may be in the middle of an operation and is not touched.
func (r *Reactor[T]) stopAfterPanic() {
	for _, s := range r.inFlight {
		s.preempt.Store(true)
	}
	r.workers.discardQueued()
	r.workers.stop(r.cfg.Drain)
	r.io.Abandon(r.cfg.Drain)
}

// checkStragglers ends a run whose slices go on although the run was ended Config.Drain ago. The
// payloads of those fibers still belong to the workers. So no fiber is unwound any more, and nothing
// may use the scheduler.
func (r *Reactor[T]) checkStragglers() (over bool, err error) {
	cause := r.loop.StopCause()
	if cause == nil {
		return false, nil
	}
	if r.endingSince.IsZero() {
		r.endingSince = time.Now()
	}
	if time.Since(r.endingSince) < r.cfg.Drain {
		return false, nil
	}
	e := &StragglersError{cause: cause}
	for _, s := range r.inFlight {
		e.IDs = append(e.IDs, s.ID)
	}
	return true, e
}
