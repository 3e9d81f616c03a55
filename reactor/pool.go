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
// workers in one batch. A worker does one piece after the other and notes what each
// ended with; the owner collects the notes at its next poll and completes the tokens.
// So a piece costs two atomic steps, both its worker's, and the rest (a lock, two wake-ups)
// is for a batch, however many are under way. What the owner keeps of
// a piece stays for the next one with the same number.
//
// All methods are for the scheduler's owner.
type Pool struct {
	core *scheduler.Core

	// The owner's.
	batch  *chunk
	jobs   jobs
	closed bool
	tally  *Drained // while Close counts

	workers workers
	notes   atomic.Pointer[job] // done and not collected, the last one first
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
	p.workers.hire = func() { p.work(true) }
	core.Attend(p)
	return p, nil
}

// Submit hands a piece of work to the pool under a token of Core.Submit, which is
// completed with what the work returns. The error is ErrPoolClosed; the token is then the
// caller's to complete. A token of no operation that is under way is refused with
// ioqueue.ErrUnknownToken.
func (p *Pool) Submit(tok fiber.Token, work Work) error { return p.SubmitAbortable(tok, work, nil) }

// SubmitAbortable is Submit for work that does not watch its context because it cannot (a
// read from a connection). When nobody waits for the result any more, and when the pool is
// closed by force, abort is called, once, by the owner: it makes the work return soon, and
// must not block. The work may not have begun (then it never does), or be done already.
func (p *Pool) SubmitAbortable(tok fiber.Token, work Work, abort func()) error {
	switch {
	case p.closed:
		return ErrPoolClosed
	case !p.core.Outstanding(tok):
		return fmt.Errorf("reactor: work for token %d: %w", tok, ioqueue.ErrUnknownToken)
	}
	if p.batch == nil {
		p.batch = new(chunk)
	}
	p.batch.add(p.jobs.begin(tok, work, abort))
	if p.batch.full() {
		p.flush()
	}
	return nil
}

// Load is how many pieces of work wait for a worker, and how many a worker has taken that
// have not been collected. It takes time in proportion to the most that there ever were.
func (p *Pool) Load() (queued, running int) {
	p.jobs.each(func(j *job) {
		if j.begun() {
			running++
		} else {
			queued++
		}
	})
	return queued, running
}

// Serve is for the scheduler: it hands over what was submitted since the last poll and
// cancels what nobody waits for any more.
func (p *Pool) Serve(abandoned []fiber.Token) {
	p.flush()
	for _, tok := range abandoned {
		p.cancel(tok, ErrAbandoned)
	}
}

func (p *Pool) flush() {
	if p.batch != nil {
		p.workers.take(p.batch)
		p.batch = nil
	}
}

// cancel ends the context of a piece of work; one that has not begun never does.
func (p *Pool) cancel(tok fiber.Token, cause error) {
	if j := p.jobs.find(tok); j != nil {
		j.cancel(cause)
	}
}

// Collect is for the scheduler: it completes the tokens of all work that is done, in the
// order it was noted.
func (p *Pool) Collect() {
	if p.notes.Load() == nil {
		return
	}
	var first *job
	for j := p.notes.Swap(nil); j != nil; {
		next := j.next
		j.next, first = first, j
		j = next
	}
	for j := first; j != nil; {
		next := j.next
		j.next = nil
		p.finish(j)
		j = next
	}
}

func (p *Pool) finish(j *job) {
	if p.tally != nil {
		p.tally.count(j)
	}
	p.core.Complete(j.tok, j.done)
	p.jobs.end(j)
}
