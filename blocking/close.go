package blocking

import (
	"context"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// closeGrace is how long Close waits for work whose context has ended.
const closeGrace = time.Second

// drained counts how the work ended that a pool had when it was closed.
type drained struct {
	finished   int // returned before its context ended
	cancelled  int // never began, or returned after its context had ended
	stragglers []fiber.Token
}

func (d *drained) add(j *job) {
	if j.cancelled {
		d.cancelled++
	} else {
		d.finished++
	}
}

// Close refuses further work and waits until all work has ended, or until ctx ends. In the
// latter case work that has not begun never does, and the context of the rest ends; Close
// then waits for one more second. The error is ErrStragglers, with the tokens of the work
// that goes on after that, each on a goroutine of its own; all other tokens are completed and all
// other workers have ended. The owner calls Close when no fiber runs any more; further calls
// do nothing.
func (p *Pool) Close(ctx context.Context) error {
	if ctx == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Idle, Fix: "Close has no context: pass context.Background() to wait without a limit"})
	}
	_, err := p.drain(ctx)
	return err
}

func (p *Pool) drain(ctx context.Context) (drained, error) {
	var d drained
	if p.closed {
		return d, nil
	}
	p.flush() // submitted work is done, although no poll will hand it over
	p.closed = true
	p.workers.close()
	// Whatever the ctx, the results of the work are collected below, on this goroutine. Workers
	// only publish ranges meanwhile, so none of them needs the owner in order to end.
	select {
	case <-p.workers.gone:
	case <-ctx.Done():
		p.cancelAll()
		p.finishCancelled()
		waitAtMost(p.workers.gone, closeGrace)
	}
	// After collect a job that still has a token was not finished: its worker goes on.
	p.counts = &d
	p.collect()
	p.batches.each(func(b *batch, i uint) { d.stragglers = append(d.stragglers, b.jobs[i].tok) })
	if len(d.stragglers) > 0 {
		return d, fmt.Errorf("%w: the operations %v go on after their contexts ended", ErrStragglers, d.stragglers)
	}
	return d, nil
}

// Abandon closes the pool without touching the scheduler, for an owner that panicked in the
// middle of an operation: work that has not begun never does, the contexts of the rest end,
// and Abandon waits at most for the timeout until the workers have ended. No token is completed.
func (p *Pool) Abandon(timeout time.Duration) {
	if p.closed {
		return
	}
	p.closed, p.batch = true, nil
	p.cancelAll()
	p.workers.close()
	waitAtMost(p.workers.gone, timeout)
}

// cancelAll ends the contexts of all jobs that are not collected. Which of them have returned is not
// known here, so abort may be called for those, too (SubmitAbortable).
func (p *Pool) cancelAll() {
	p.batches.each(func(b *batch, i uint) { b.cancel(i, ErrClosed) })
}

// finishCancelled goes through the queued jobs on the owner's goroutine, because every worker
// may be blocked. Their contexts have ended, so none of the work begins, and the owner cannot block
// here. A worker that gets free takes its part as usual.
func (p *Pool) finishCancelled() {
	for r, first := p.workers.tryNext(); r != nil; r, first = p.workers.tryNext() {
		p.runRange(r, first)
	}
}

// waitAtMost waits until the channel is closed, or for the timeout.
func waitAtMost(gone <-chan struct{}, timeout time.Duration) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-gone:
	case <-timer.C:
	}
}
