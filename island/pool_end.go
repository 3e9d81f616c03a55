package island

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/selvage-dev/selvage/scheduler"
)

// MachinePanic is the value of the Go panic with which Run goes on after a Machine panicked,
// or ended its goroutine by runtime.Goexit.
type MachinePanic struct {
	Worker int
	// Value is what it panicked with; nil after a Goexit.
	Value any
	Stack []byte
}

// Error has the value and the stack.
func (e *MachinePanic) Error() string {
	return fmt.Sprintf("island: the Machine of worker %d panicked: %v\n\n%s", e.Worker, e.Value, e.Stack)
}

// Unwrap is the value if it was an error.
func (e *MachinePanic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// crash keeps the first panic of a Machine.
type crash struct {
	once  sync.Once
	first *MachinePanic
}

// live is a worker's goroutine. A scheduler in the midst of a slice that never ended is left
// as it is.
func (w *worker[T]) live(ctx context.Context, stop context.CancelCauseFunc) (err error) {
	w.stop = stop
	returned := false
	defer func() {
		if returned {
			return
		}
		w.wrecked = true
		e := &MachinePanic{w.index, recover(), debug.Stack()}
		w.pool.crash.once.Do(func() { w.pool.crash.first = e })
		stop(fmt.Errorf("island: the Machine of worker %d panicked: %v", e.Worker, e.Value))
	}()
	err = w.run(ctx)
	returned = true
	return err
}

// result is after all workers have ended: their schedulers are the caller's. They are no
// islands any more when what one has told another at the last moment is heard.
func (p *Pool[T]) result(ctx context.Context, cause error, errs []error) error {
	if p.hall.isOver() {
		cause = nil // what has ended since then came too late: nobody was killed for it
	}
	p.leave(cause, errs)
	for _, w := range p.workers {
		if !w.wrecked {
			w.s.Poll()
			w.s.Steps().ReportUnobserved()
		}
	}
	for _, data := range p.hall.close() {
		if p.cfg.Dropped != nil {
			p.cfg.Dropped(data)
		}
	}
	switch {
	case p.crash.first != nil:
		panic(p.crash.first)
	case cause == nil && p.deadlock() != nil:
		return p.deadlock()
	case cause == nil:
		return errors.Join(errs...) // of those that are deadlocked
	case errors.Is(cause, scheduler.ErrMainReturned):
		return nil
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), cause):
		return ctx.Err()
	}
	return cause
}
