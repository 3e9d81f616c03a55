package blocking

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/lazycontext"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// Config is what a Pool is made with; the zero Config is usable. It has no limit for work that
// waits for a worker: each job is an operation of the scheduler, and
// scheduler.Config.MaxTokens limits the operations under way.
type Config struct {
	// Workers is how many jobs may block at once, each on a goroutine of its own. 0 is 64;
	// Unlimited is one worker for each job. Workers are started when they are needed.
	Workers int
}

// defaultWorkers is also how many workers of an unlimited pool stay when they are idle.
const defaultWorkers = 64

// Unlimited is the Config.Workers for work that waits and does not compute: connections that
// are idle for hours must not keep the workers from each other.
const Unlimited = math.MaxInt

// Pool does blocking work for the fibers of one scheduler, so that the owner never blocks in a
// system call.
//
// The owner submits work under a token. Jobs that are submitted between two polls go to the
// workers in batches. A worker claims a range of a batch, does its jobs one after the other
// and leaves each result in the job. The first result since the last poll signals the owner,
// which completes the tokens of all finished jobs at its next poll. So a job costs one atomic
// operation of its worker; the lock, the publication and the two wake-ups are paid once for a
// batch.
//
// All methods are for the scheduler's owner.
type Pool struct {
	core *scheduler.Core
	past *lazycontext.Real // it has ended; the context of all work that ended without asking for one

	// The owner's.
	batch   *batch // the open batch: not yet handed over, or nil
	batches batches
	closed  bool
	counts  *drained // nil except while Close counts

	workers  workers
	finished atomic.Pointer[jobRange] // published ranges, the latest first, linked by doneNext
}

// New makes a pool, which the scheduler serves at every poll. Close it when the run is over.
// The error names a negative limit.
func New(core *scheduler.Core, cfg Config) (*Pool, error) {
	if core == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Poll, Fix: "New has no scheduler: pass the Core whose fibers wait for the work"})
	}
	if cfg.Workers < 0 {
		return nil, fmt.Errorf("blocking: a pool of %d workers: want 0 (the default, %d) or more", cfg.Workers, defaultWorkers)
	}
	p := &Pool{core: core, past: lazycontext.Past(nil)}
	p.workers.limit = cfg.Workers
	if p.workers.limit == 0 {
		p.workers.limit = defaultWorkers
	}
	// A bounded pool keeps its workers; an unlimited one may have had thousands.
	p.workers.maxIdle = p.workers.limit
	if p.workers.limit == Unlimited {
		p.workers.maxIdle = defaultWorkers
	}
	p.workers.wake = sync.NewCond(&p.workers.mu)
	p.workers.gone = make(chan struct{})
	p.workers.start = func() { p.work(nil, true) }
	core.Ops().AddDevice((*device)(p))
	return p, nil
}

// Submit has the work done. Its result completes the token, which is one of Ops.Submit.
// Errors: ErrClosed; ioqueue.ErrUnknownToken for a token of no operation under way. After an
// error the token is still the caller's to complete.
func (p *Pool) Submit(tok fiber.Token, work Work) error { return p.SubmitAbortable(tok, work, nil) }

// SubmitAbortable is Submit for work that cannot watch its context, such as a read from a
// connection. When no fiber waits for the result any more, and when the pool is closed by
// force, the owner calls abort, once: it makes the work return soon, and must not block. At
// that time the work may not have begun (then it never does), or may have returned already.
func (p *Pool) SubmitAbortable(tok fiber.Token, work Work, abort func()) error {
	// The fast path is a few stores into the open batch: no lock and no allocation. prepare
	// looks at all that can be missing or wrong.
	b, slot := p.batch, int(ioqueue.SlotOf(tok))
	if b == nil || slot >= len(p.batches.table) || !p.core.Ops().Outstanding(tok) {
		if err := p.prepare(tok); err != nil {
			return err
		}
		b = p.batch
	}
	at := b.n
	p.batches.table[slot] = uint32(b.number<<batchBits | at)
	j := &b.jobs[at%batchSize]
	j.tok, j.work = tok, work
	if abort != nil { // rare; a store of a pointer costs a write barrier during a collection
		j.abort = abort
	}
	if b.n = at + 1; b.n == batchSize {
		p.flush()
	}
	return nil
}

// prepare makes room for a job in the open batch and for its token in the table, or returns
// why the work is refused.
func (p *Pool) prepare(tok fiber.Token) error {
	switch {
	case p.closed:
		return ErrClosed
	case !p.core.Ops().Outstanding(tok):
		return fmt.Errorf("blocking: work for token %d: %w", tok, ioqueue.ErrUnknownToken)
	case p.batch == nil:
		p.batch = p.batches.open()
	}
	p.batches.grow(int(ioqueue.SlotOf(tok)) + 1)
	return nil
}

// flush hands the open batch to the workers: when it is full, at each poll, and before Close. All
// of the batch must be written before enqueue, which publishes it by its lock.
func (p *Pool) flush() {
	if b := p.batch; b != nil {
		p.batch = nil
		b.left = b.n
		b.use.whole.progress.Store(progress(0, b.n))
		p.workers.enqueue(&b.use.whole)
	}
}
