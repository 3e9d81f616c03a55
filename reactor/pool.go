package reactor

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// PoolConfig is what a Pool is made with; the zero PoolConfig is usable. How much work
// may wait is not said here: every piece is an operation of the scheduler, which has a
// limit for all of them together (scheduler.Config.MaxTokens).
type PoolConfig struct {
	// Workers is how many pieces of work may block at once, each on a goroutine of
	// its own; 0 means DefaultWorkers, Unlimited as many as there are pieces. They are
	// started as they are needed.
	Workers int
}

const (
	// DefaultWorkers is the number of workers of a Pool that was given none, and how many
	// of an unlimited one stay when there is nothing to do.
	DefaultWorkers = 64
	// Unlimited is for work that waits and does not compute: reads from connections that
	// may be idle for hours must not take the workers from one another.
	Unlimited = math.MaxInt
)

// Pool does blocking work for the fibers of one scheduler: what has to sit in a system
// call, or in somebody's library, sits there on a worker and not on the owner.
//
// The owner submits, under a token; what it submits between two polls goes to the
// workers in batches. A worker takes a share of one, does one piece after the other and
// leaves what each ended with in its place; the owner, who is told once of all that is done
// by the time it looks, completes the tokens at its next poll. So a piece costs one atomic
// step, its worker's, and the rest (a lock, a note, two wake-ups) is for a batch, however
// many are under way.
//
// All methods are for the scheduler's owner.
type Pool struct {
	core *scheduler.Core

	// The owner's.
	batch   *batch // to be handed over
	batches batches
	closed  bool
	tally   *Drained // while Close counts

	workers workers
	notes   atomic.Pointer[share] // those in which something is done, the last one first
}

// NewPool makes a pool and has the scheduler serve it at every poll. Close it when the
// run is over. The error names a limit that is negative.
func NewPool(core *scheduler.Core, cfg PoolConfig) (*Pool, error) {
	if cfg.Workers < 0 {
		return nil, fmt.Errorf("reactor: a pool of %d workers: want 0 (the default, %d) or more", cfg.Workers, DefaultWorkers)
	}
	p := &Pool{core: core}
	p.workers.most = cfg.Workers
	if p.workers.most == 0 {
		p.workers.most = DefaultWorkers
	}
	p.workers.spare = min(p.workers.most, DefaultWorkers)
	if p.workers.most != Unlimited {
		p.workers.spare = p.workers.most
	}
	p.workers.idle = sync.NewCond(&p.workers.mu)
	p.workers.gone = make(chan struct{})
	p.workers.hire = func() { p.work(nil, true) }
	core.Ops().AddDevice(p)
	return p, nil
}

// Submit hands a piece of work to the pool under a token of Ops.Submit, which is
// completed with what the work returns. The error is ErrPoolClosed; the token is then the
// caller's to complete. A token of no operation that is under way is refused with
// ioqueue.ErrUnknownToken.
func (p *Pool) Submit(tok fiber.Token, work Work) error { return p.SubmitAbortable(tok, work, nil) }

// SubmitAbortable is Submit for work that does not watch its context because it cannot (a
// read from a connection). When nobody waits for the result any more, and when the pool is
// closed by force, abort is called, once, by the owner: it makes the work return soon, and
// must not block. The work may not have begun (then it never does), or be done already.
func (p *Pool) SubmitAbortable(tok fiber.Token, work Work, abort func()) error {
	b, slot := p.batch, int(ioqueue.SlotOf(tok))
	if b == nil || slot >= len(p.batches.table) || !p.core.Ops().Outstanding(tok) {
		if err := p.prepare(tok); err != nil {
			return err
		}
		b = p.batch
	}
	at := b.n
	p.batches.table[slot] = uint32(b.number<<batchBits | at)
	w := &b.pieces[at%batchSize]
	w.tok, w.work = tok, work
	if abort != nil {
		w.abort = abort
	}
	if b.n = at + 1; b.n == batchSize {
		p.flush()
	}
	return nil
}

// prepare sees to it that there is a batch with room for a piece, and a place for the token
// in the table; or it is why the work is refused.
func (p *Pool) prepare(tok fiber.Token) error {
	switch {
	case p.closed:
		return ErrPoolClosed
	case !p.core.Ops().Outstanding(tok):
		return fmt.Errorf("reactor: work for token %d: %w", tok, ioqueue.ErrUnknownToken)
	case p.batch == nil:
		p.batch = p.batches.open()
	}
	p.batches.fit(int(ioqueue.SlotOf(tok)) + 1)
	return nil
}

// Load is how many pieces of work wait for a worker, and how many a worker has taken that
// have not been collected. It takes time in proportion to the most that there ever were.
func (p *Pool) Load() (queued, running int) {
	all := 0
	p.batches.each(func(*batch, uint) { all++ })
	queued = int(p.workers.queued())
	if p.batch != nil {
		queued += int(p.batch.n)
	}
	return queued, all - queued
}

// Serve is for the scheduler: it ends the contexts of what nobody waits for any more, so that
// work which has not begun never does, and hands over what was submitted since the last poll.
func (p *Pool) Serve(abandoned []fiber.Token) {
	for _, tok := range abandoned {
		p.batches.cancel(tok, ErrAbandoned)
	}
	p.flush()
}

func (p *Pool) flush() {
	if b := p.batch; b != nil {
		p.batch = nil
		b.left = b.n
		b.journey.whole.progress.Store(progress(0, b.n))
		p.workers.take(&b.journey.whole)
	}
}

// Collect is for the scheduler: it completes the tokens of all work that is done, in the
// order in which its shares were noted.
func (p *Pool) Collect() {
	if p.notes.Load() == nil {
		return
	}
	var first *share
	for s := p.notes.Swap(nil); s != nil; {
		next := s.note
		s.note, first = first, s
		s = next
	}
	for s := first; s != nil; {
		next := s.note // as soon as the share has been looked at, it may be noted again
		s.note = nil
		p.collect(s)
		s = next
	}
}

func (p *Pool) collect(s *share) {
	b, end := s.batch, s.look()
	for i := s.collected; i < end; i++ {
		w := &b.pieces[i%batchSize]
		if p.tally != nil {
			p.tally.count(w)
		}
		p.core.Ops().CompleteFrom(w.tok, &w.done)
		w.clear()
	}
	b.left -= end - s.collected
	s.collected = end
	if b.left == 0 {
		p.batches.close(b)
	}
}
