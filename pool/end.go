package pool

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/selvage-dev/selvage/scheduler"
)

// firstCrash keeps the first Go panic, or Goexit, of a Machine. Run repeats it after all workers have
// ended, on the goroutine of its caller, so that the caller can recover it.
type firstCrash struct {
	once sync.Once
	err  error
}

// main is the body of a worker's goroutine. After a panic the scheduler is in the middle of
// a slice that never ends, so nothing may use it any more. It is never entered on the idle list
// again, so the pool does not end by itself: stop ends the other workers.
//
// A Goexit runs the same deferred function, with nil as the Value. Run does not hang by it: it waits
// for the end of the goroutine, not for a result of this function.
func (w *worker[T]) main(ctx context.Context, stop context.CancelCauseFunc) (err error) {
	w.stop = stop
	returned := false
	defer func() {
		if returned {
			return
		}
		w.crashed = true
		e := &scheduler.PanicError{Value: recover(), Stack: debug.Stack()}
		stop(fmt.Errorf("pool: the Machine of worker %d panicked: %v", w.index, e.Value))
		w.pool.crash.once.Do(func() {
			// The text has the stack because it is what an unrecovered panic of Run prints.
			w.pool.crash.err = fmt.Errorf("pool: the Machine of worker %d panicked: %w\n\n%s", w.index, e, e.Stack)
		})
	}()
	err = w.run(ctx)
	returned = true
	return err
}

// result is called when all workers have ended; their schedulers belong to the caller then.
// The islands leave first, so that the messages which workers sent each other at the end
// (fibers that ended on another worker) are handled without anything new arriving. Payloads are
// handed to Dropped last: until the queue is closed a Spawn may add one.
//
// A crash is reported even if the run also ended in another way, because the program has a bug and
// one worker's fibers did not unwind. Next comes a deadlock across islands: the errors of the single
// workers would each show a part of it.
func (p *Pool[T]) result(ctx context.Context, cause error, errs []error) error {
	if p.shared.isClosed() {
		cause = nil // the pool had ended by itself before that: no fiber was killed for it
	}
	p.leave(cause, errs)
	// What workers sent each other at the end is in their inboxes. Failures that are still unread
	// after this poll are reported as unobserved.
	for _, w := range p.workers {
		if !w.crashed {
			w.s.Poll()
			w.s.Steps().ReportUnobserved()
		}
	}
	for _, data := range p.shared.close() {
		if p.cfg.Dropped != nil {
			p.cfg.Dropped(data)
		}
	}
	switch {
	case p.crash.err != nil:
		panic(p.crash.err)
	case cause == nil && p.deadlock() != nil:
		return p.deadlock()
	case cause == nil:
		return errors.Join(errs...) // of the workers that are deadlocked, or were under a pump
	case cause == scheduler.ErrMainReturned:
		return errors.Join(errs...) // of the workers in which a pinned call has failed
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), cause):
		return ctx.Err()
	}
	return cause
}
