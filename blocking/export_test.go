package blocking

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// CloseCounted is Close, with how the pool's work ended.
func (p *Pool) CloseCounted(ctx context.Context) (finished, cancelled int, stragglers []fiber.Token, err error) {
	d, err := p.drain(ctx)
	return d.finished, d.cancelled, d.stragglers, err
}

// Load returns how many jobs are unclaimed, and how many are claimed and not collected.
func (p *Pool) Load() (queued, running int) {
	all := 0
	p.batches.each(func(*batch, uint) { all++ })
	queued = int(p.workers.queued())
	if p.batch != nil {
		queued += int(p.batch.n)
	}
	return queued, all - queued
}

func (w *workers) queued() (n uint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := w.first; r != nil; r = r.queueNext {
		n += r.unclaimed()
	}
	return n
}
