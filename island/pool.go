package island

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
)

// What a PoolConfig without them has.
const (
	DefaultPreempt = 16
	DefaultQueue   = 1024
)

// ThreadsVariable names the environment variable that has the number of workers of a pool
// whose PoolConfig does not say it.
const ThreadsVariable = "SELVAGE_NUM_THREADS"

// What a pool refuses.
var (
	// ErrPoolConfig: a pool cannot be made like this.
	ErrPoolConfig = errors.New("island: bad PoolConfig")
	// ErrPoolFull: PoolConfig.Queue payloads wait for a worker.
	ErrPoolFull = errors.New("island: the pool's queue is full; wait, or raise PoolConfig.Queue")
	// ErrPoolOver: the pool has run; make another one.
	ErrPoolOver = errors.New("island: the pool has run")
)

// PoolConfig is what a Pool is made with. Only Machine is needed.
type PoolConfig[T any] struct {
	// Machine makes what runs the fibers of a worker, of which the first is 0. It may spawn
	// into the scheduler it is given, best by Fork: the newest run first, on the worker
	// that has their data at hand, and others take the oldest.
	Machine func(worker int) scheduler.Machine[T]
	// Workers is how many there are; 0: what SELVAGE_NUM_THREADS says, else GOMAXPROCS.
	Workers int
	// Preempt is after how many slices at the latest a worker answers those who ask it for
	// fibers. 0 is DefaultPreempt.
	Preempt int
	// Queue bounds how many payloads that were spawned from outside wait for a worker.
	// 0 is DefaultQueue.
	Queue int
	// Seed decides in which order workers ask each other.
	Seed uint64
	// Scheduler makes the Config of a worker's scheduler; nil: the zero Config. Without a
	// Number it gets worker+1, or the Registry's next; without a Clock a reactor.WallClock.
	Scheduler func(worker int) scheduler.Config
	// Registry, if it is not nil, is what every worker joins as an island, until Run returns:
	// others reach it by commands and ports, and a deadlock is looked for beyond the pool.
	Registry *Registry
	// Island is what a worker joins as; nil: by the name "worker " and its index. A Shutdown
	// of one ends the pool, so that there is no use in a Stop here.
	Island func(worker int) Config
	// Spawn are programs of all workers' islands, as Plan.Spawn has them.
	Spawn map[string]func(args []byte) (T, scheduler.Options, error)
	// Dropped is told of each payload that was spawned from outside and that no worker had
	// taken when the pool ended.
	Dropped func(T)
}

// Pool spreads fibers over workers, of which each is a goroutine with a scheduler of its own.
// A worker that has nothing to do asks another for fibers, or sleeps until one that has
// plenty sends some: the oldest half of those that wait, of which it takes only such as are
// Movable and tied to nothing (scheduler.MoveOut). Nobody ever touches another's scheduler.
type Pool[T any] struct {
	cfg     PoolConfig[T]
	workers []*worker[T]
	hall    hall[T]
	asked   [mostMoved + 1]parcel[T] // by the room there is: stands where the answer is to be
	crash   crash
}

// NewPool makes a pool. With a Registry its workers have joined it, and leave it at the end
// of Run. Errors: ErrPoolConfig; as Registry.Join.
func NewPool[T any](cfg PoolConfig[T]) (*Pool[T], error) {
	if cfg.Machine == nil {
		return nil, fmt.Errorf("%w: it has no Machine", ErrPoolConfig)
	}
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	p := &Pool[T]{cfg: cfg}
	for room := range p.asked {
		p.asked[room].room = room
	}
	p.hall.queue.limit = cfg.Queue
	for i := range cfg.Workers {
		p.workers = append(p.workers, newWorker(p, i))
	}
	p.hall.workers = p.workers
	if err := p.join(); err != nil {
		return nil, err
	}
	return p, nil
}

func (cfg *PoolConfig[T]) setDefaults() error {
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
		if s, set := os.LookupEnv(ThreadsVariable); set {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 {
				return fmt.Errorf("%w: %s is %q: want a number, 1 or more", ErrPoolConfig, ThreadsVariable, s)
			}
			cfg.Workers = n
		}
	}
	if cfg.Workers < 1 || cfg.Workers > maxWorkers || cfg.Preempt < 0 || cfg.Queue < 0 {
		return fmt.Errorf("%w: %d workers (at most %d), Preempt %d, Queue %d", ErrPoolConfig, cfg.Workers, maxWorkers, cfg.Preempt, cfg.Queue)
	}
	if cfg.Preempt == 0 {
		cfg.Preempt = DefaultPreempt
	}
	if cfg.Queue == 0 {
		cfg.Queue = DefaultQueue
	}
	return nil
}

// maxWorkers leaves room for other schedulers among the numbers there are.
const maxWorkers = 1 << 12

func (cfg *PoolConfig[T]) scheduler(worker int) scheduler.Config {
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
		c.Clock = reactor.NewWallClock()
	}
	if c.MaxFibers <= 0 {
		c.MaxFibers = 1 << 24 // as in a scheduler.Config
	}
	c.MaxFibers = min(c.MaxFibers, fiber.MaxIndex)
	return c
}

// Workers is how many workers the pool has.
func (p *Pool[T]) Workers() int { return len(p.workers) }

// Scheduler is that of a worker. While the pool runs it is the worker's; its Inbox is
// everybody's. Before and after, it is the caller's.
func (p *Pool[T]) Scheduler(worker int) *scheduler.Scheduler[T] { return p.workers[worker].s }

// Spawn has some worker spawn a Movable fiber, from any goroutine, before the pool runs or
// while it does. Errors: ErrPoolFull, ErrPoolOver.
func (p *Pool[T]) Spawn(data T) error { return p.hall.put(data) }

// Hold keeps Run from ending because all is done, until it is released: more is to be
// spawned. Both may be called from any goroutine.
func (p *Pool[T]) Hold() (release func()) {
	p.hall.hold(1)
	return sync.OnceFunc(func() { p.hall.hold(-1) })
}

// Run runs everything there is until all fibers of all workers have ended (nil); until no
// worker can go on and some have fibers that are blocked for ever (their *DeadlockErrors, or
// the *DeadlockError of all islands that are in it); until a fiber that fails the run ends by
// a panic (its *PanicError), a main fiber returns (nil), or a worker's island is shut down
// (the cause); or until ctx ends (its error). In the last cases every fiber is killed with
// that as the cause and has unwound. It returns when all goroutines have ended. A Go panic of
// a Machine ends the pool likewise and goes on in Run, as a *MachinePanic. A pool runs once:
// ErrPoolOver.
func (p *Pool[T]) Run(ctx context.Context) error {
	if !p.hall.begin() {
		return ErrPoolOver
	}
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	errs := make([]error, len(p.workers))
	var all sync.WaitGroup
	for i, w := range p.workers {
		all.Go(func() { errs[i] = w.live(inner, stop) })
	}
	all.Wait()
	return p.result(ctx, context.Cause(inner), errs)
}
