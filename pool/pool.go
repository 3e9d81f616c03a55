package pool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

const (
	defaultCheckEvery = 16
	defaultQueue      = 1024
	workersVariable   = "SELVAGE_NUM_THREADS"
	maxWorkers        = 1 << 12 // leaves scheduler numbers to others
)

// What a pool refuses. Test with errors.Is.
var (
	// ErrConfig: the Config is invalid; the text says which field.
	ErrConfig = errors.New("pool: invalid Config")
	// ErrFull: Config.Queue payloads are waiting for a worker.
	ErrFull = errors.New("pool: the queue is full; retry later or raise Config.Queue")
	// ErrClosed: the pool has run, and a pool runs once.
	ErrClosed = errors.New("pool: it has already run; make another pool")
)

// Config is what a Pool is made with. Only Machine is required.
type Config[T any] struct {
	// Machine returns what runs the fibers of a worker; workers are numbered from 0. It may
	// spawn into the scheduler that it is given, best with Fork: the newest fiber runs first,
	// on the worker whose cache has its data, and other workers take the oldest.
	Machine func(worker int) scheduler.Machine[T]
	// Workers is the number of workers, at most 4096. 0 means the environment variable
	// SELVAGE_NUM_THREADS if it is set, else GOMAXPROCS.
	Workers int
	// CheckEvery is how many slices a worker runs at most before it answers steal requests.
	// 0 means 16.
	CheckEvery int
	// Queue is how many payloads of Pool.Spawn may wait for a worker. 0 means 1024.
	Queue int
	// Scheduler returns the Config of a worker's scheduler; nil means the zero Config.
	// Number 0 becomes worker+1, or the Registry's next number; Clock nil becomes a
	// wallclock.Clock. Each worker needs a Clock of its own, because a clock belongs to one owner.
	Scheduler func(worker int) scheduler.Config
	// Registry, if not nil, is joined by every worker as an island until Run returns. Other
	// islands then reach the workers by commands and ports, and deadlocks that span the pool
	// and other islands are detected.
	Registry *island.Registry
	// Island returns what a worker joins as; nil means the name "worker " and its number.
	// Stop and Peers are set by the pool: a Shutdown of one worker ends the pool.
	Island func(worker int) island.Config
	// Spawn are programs that every worker's island offers, as in island.StartConfig.
	Spawn map[string]func(args []byte) (T, scheduler.Options, error)
	// Dropped is called, before Run returns, with each payload of Pool.Spawn that no worker
	// had taken when the pool ended.
	Dropped func(T)
}

// Pool runs fibers on several workers. A worker with nothing to run asks another for fibers,
// or sleeps until a busy worker sends it some: the oldest half of the ready fibers, among them
// only those that are Movable and hold nothing of their scheduler (scheduler.MoveOut).
type Pool[T any] struct {
	// Never changed after New.
	cfg        Config[T]
	workers    []*worker[T]
	schedulers []*scheduler.Scheduler[T]

	shared coordinator[T] // has a lock of its own
	// requests[n] is what the reply word of a worker points to while it wants up to n fibers. They
	// are shared by all workers and never changed, so that opening a request allocates nothing.
	requests [maxStolen + 1]stolenBatch[T]
	crash    firstCrash // read after the last worker has ended
}

// New makes a pool. With a Registry the workers have joined it when New returns. Errors:
// ErrConfig, and those of island.Registry.Join.
func New[T any](cfg Config[T]) (*Pool[T], error) {
	if cfg.Machine == nil {
		return nil, fmt.Errorf("%w: Machine is nil", ErrConfig)
	}
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	p := &Pool[T]{cfg: cfg}
	for room := range p.requests {
		p.requests[room].room = room
	}
	p.shared.queue.limit = cfg.Queue
	for i := range cfg.Workers {
		w := newWorker(p, i)
		p.workers, p.schedulers = append(p.workers, w), append(p.schedulers, w.s)
	}
	p.shared.workers = p.workers
	if err := p.join(); err != nil {
		return nil, err
	}
	return p, nil
}

func (cfg *Config[T]) setDefaults() error {
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
		if s, set := os.LookupEnv(workersVariable); set {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 {
				return fmt.Errorf("%w: %s is %q; set it to a number of at least 1", ErrConfig, workersVariable, s)
			}
			cfg.Workers = n
		}
	}
	if cfg.Workers < 1 || cfg.Workers > maxWorkers || cfg.CheckEvery < 0 || cfg.Queue < 0 {
		return fmt.Errorf("%w: Workers %d (1 to %d), CheckEvery %d and Queue %d (at least 0)", ErrConfig, cfg.Workers, maxWorkers, cfg.CheckEvery, cfg.Queue)
	}
	if cfg.CheckEvery == 0 {
		cfg.CheckEvery = defaultCheckEvery
	}
	if cfg.Queue == 0 {
		cfg.Queue = defaultQueue
	}
	return nil
}

// scheduler is the Config of a worker's scheduler. MaxFibers is filled in here, as the scheduler
// would, because freeSlots has to know it.
func (cfg *Config[T]) scheduler(worker int) scheduler.Config {
	var c scheduler.Config
	if cfg.Scheduler != nil {
		c = cfg.Scheduler(worker)
	}
	switch {
	case c.Number > 0:
	case cfg.Registry != nil:
		c.Number = cfg.Registry.Number()
	default:
		c.Number = uint16(worker + 1)
	}
	if c.Clock == nil {
		c.Clock = wallclock.New()
	}
	if c.MaxFibers <= 0 {
		c.MaxFibers = 1 << 24 // as in a scheduler.Config
	}
	c.MaxFibers = min(c.MaxFibers, fiber.MaxIndex)
	return c
}

// Schedulers are those of the workers, in their order; the slice is a copy. While the pool
// runs, a scheduler belongs to its worker, except for its Inbox, which any goroutine may use.
// Before and after the run they belong to the caller.
func (p *Pool[T]) Schedulers() []*scheduler.Scheduler[T] { return slices.Clone(p.schedulers) }

// Spawn queues a payload; the worker that takes it spawns a Movable fiber for it. Any
// goroutine may call it, before or during the run. Errors: ErrFull, ErrClosed.
func (p *Pool[T]) Spawn(data T) error { return p.shared.put(data) }

// Hold keeps Run from returning because nothing is left to run, until release is called: the
// holder is going to Spawn more. Any goroutine may call both; a second release does nothing.
func (p *Pool[T]) Hold() (release func()) {
	p.shared.changeHolds(1)
	return sync.OnceFunc(func() { p.shared.changeHolds(-1) })
}

// Run runs the workers and returns when all their goroutines have ended. The result is
//
//   - nil when all fibers have ended, or when a main fiber has returned;
//   - the workers' *scheduler.DeadlockErrors, joined, when nothing can run any more and
//     fibers are still blocked; or the one *island.DeadlockError if islands wait for each
//     other;
//   - in place of nil, the first verdict of each worker that has failed a pinned call
//     (scheduler.Scheduler.Run), joined;
//   - the error of a main fiber (scheduler.Options.Main) that has failed;
//   - a *scheduler.PanicError when a fiber with panicstate.FailRun has panicked;
//   - the cause of the shutdown when a worker's island was shut down;
//   - ctx's error when ctx has ended.
//
// In the last four cases, and after a main fiber, all other fibers are killed with that
// cause and have unwound. If a Machine panics or calls runtime.Goexit, all other workers end
// in the same way, and Run panics with an error that names the worker and wraps a
// *scheduler.PanicError. A pool runs once: then it is ErrClosed.
func (p *Pool[T]) Run(ctx context.Context) error {
	if ctx == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Pump, Fix: "Run has no context: pass context.Background() for a run without a limit"})
	}
	if !p.shared.begin() {
		return ErrClosed
	}
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	errs := make([]error, len(p.workers))
	var all sync.WaitGroup
	for i, w := range p.workers {
		all.Go(func() { errs[i] = w.main(inner, stop) })
	}
	all.Wait()
	return p.result(ctx, context.Cause(inner), errs)
}
