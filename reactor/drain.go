package reactor

import (
	"context"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// Drained is what became of the work that a pool had when it was closed.
type Drained struct {
	Finished   int // did what it wanted, or failed by itself
	Cancelled  int // had not begun, or gave up when its context ended
	Stragglers []fiber.Token
}

// patience is how long Close waits for work whose context has ended.
const patience = time.Second

// Close refuses further work and waits until what there is is done, or until ctx ends:
// then what has not begun never does, and the rest is asked to stop by its context. Work
// that does not stop within a second is left to itself, with its goroutine, and named in
// the error; everything else has been completed and every other worker has ended. The
// owner calls it, with no fiber running; a second call does nothing.
func (p *Pool) Close(ctx context.Context) (Drained, error) {
	var d Drained
	if p.closed {
		return d, nil
	}
	p.flush()
	p.closed = true
	p.workers.close()
	select {
	case <-p.workers.gone:
	case <-ctx.Done():
		p.cancelAll()
		p.clearOut()
		await(p.workers.gone, patience)
	}
	p.tally = &d
	p.Collect()
	p.batches.each(func(b *batch, i uint) { d.Stragglers = append(d.Stragglers, b.pieces[i].tok) })
	if len(d.Stragglers) > 0 {
		return d, fmt.Errorf("%w: the operations %v go on after they were told to stop", ErrStragglers, d.Stragglers)
	}
	return d, nil
}

func (p *Pool) cancelAll() {
	p.batches.each(func(b *batch, i uint) { b.cancel(i, ErrPoolClosed) })
}

// clearOut is the owner in a worker's place, for every worker may be held up: of what nobody
// has begun all contexts have ended, so that it is over without being done.
func (p *Pool) clearOut() {
	for s, first := p.workers.grab(); s != nil; s, first = p.workers.grab() {
		p.toil(s, first)
	}
}

// abandon ends a pool whose owner panics: what has not begun never does, the rest is asked to
// stop, and nothing is collected, as the scheduler may be in the middle of something.
func (p *Pool) abandon(patience time.Duration) {
	if p.closed {
		return
	}
	p.closed, p.batch = true, nil
	p.cancelAll()
	p.workers.close()
	await(p.workers.gone, patience)
}

// count notes how a piece of work ended that was there when the pool was closed.
func (d *Drained) count(w *piece) {
	if w.told {
		d.Cancelled++
	} else {
		d.Finished++
	}
}
