package reactor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// ErrRan is the error of a second Run: a Reactor runs once.
var ErrRan = errors.New("reactor: Run was called before: make another Reactor")

// Reactor runs the fibers of one scheduler on several workers. The goroutine that calls Run
// owns it and the scheduler. Workers run slices and touch neither (decision 0030).
//
// All fields are the owner's; workers has a lock of its own.
type Reactor[T any] struct {
	sched   *scheduler.Scheduler[T]
	cfg     Config
	workers *workers[T]
	io      *blocking.Pool
	loop    *scheduler.Loop // nil before Run

	groups    groupQueues[T]
	inFlight  []*Slice[T]  // handed to the workers, in the order of their hand-outs
	results   []result[T]  // of ended slices that are not taken back yet
	pending   []pending[T] // by slot: what the fiber waits for
	operation *Slice[T]    // taken back in this turn, with an operation that has not begun
	free      []*Slice[T]  // to be used again

	handOuts    uint64    // numbers the hand-outs
	unexpected  uint64    // results that belong to no slice in flight
	endingSince time.Time // when the loop first saw that the run is to end
	servedAt    uint64    // the scheduler's transitions when the devices were served in this turn
	progressed  bool      // since then a slice has ended or a command was carried out
}

// pending is the wait with which a fiber's last slice ended.
type pending[T any] struct {
	id      fiber.RegularID
	await   Await[T] // nil: the slice ended with Block and no operation
	refused error    // why the wait was not begun
}

// New makes a reactor. With workers, or with a Clock in the Config, it runs in that time: workers
// need real time, and New gives them a wallclock.Clock. Otherwise its time is virtual. The
// error is ErrConfig.
func New[T any](cfg Config, m Machine[T]) (*Reactor[T], error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Workers > 0 {
		cfg.Clock = wallclock.New()
	}
	cfg.setDefaults()
	r := &Reactor[T]{sched: scheduler.New[T](cfg.Config), cfg: cfg, groups: groupQueues[T]{}}
	var err error
	if r.io, err = blocking.New(&r.sched.Core, blocking.Config{Workers: cfg.IOWorkers}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	r.workers = newWorkers(m, cfg.InFlight, r.sched.Inbox().Notify)
	r.workers.inline = cfg.Workers == 0
	return r, nil
}

// Scheduler is what the fibers run on. The rules of its contract apply: while Run runs, only code
// that the owner calls may use it (effects, Awaits, hooks), and other goroutines only its Inbox.
func (r *Reactor[T]) Scheduler() *scheduler.Scheduler[T] { return r.sched }

// IO does blocking work: an Await submits it under a token of Scheduler().Submit and arms a
// wait for the token (fiber.OnIO). Its goroutines are not the workers, so blocking calls take no
// slice's place. Like the scheduler it belongs to the owner. Run closes it.
func (r *Reactor[T]) IO() *blocking.Pool { return r.io }

// Run spawns the main fiber (scheduler.Options.Main), drives all fibers until it ends, kills the
// others, and returns what the main fiber ended with. Otherwise it ends as scheduler.Run does: by
// a deadlock, a panic that fails the run, or ctx.
//
// Run returns after every slice, all blocking work and all workers have ended. If some do
// not end within Config.Drain, the error is a *StragglersError or blocking.ErrStragglers. A
// panic in a function that a slice left for the owner leaves Run in the same way.
func (r *Reactor[T]) Run(ctx context.Context, main T) (result any, err error) {
	if r.loop != nil {
		return nil, ErrRan
	}
	ended := func(v any, _ error) { result = v }
	if _, err := r.sched.SpawnWith(main, scheduler.Options{Name: "main", Main: true, Ended: ended}); err != nil {
		return nil, err
	}
	// The pool is closed after the loop: no fiber submits work any more, and the work of those that
	// were killed has been cancelled.
	err = r.run(ctx)
	if left := r.closeIO(); left != nil {
		err = errors.Join(err, left)
	}
	return result, err
}

// run starts the workers, turns until the run is over, and waits for the workers. The goroutine that
// calls it owns everything here, and joins every worker, unless a slice does not end in time.
func (r *Reactor[T]) run(ctx context.Context) error {
	r.loop = r.sched.Steps().Begin(ctx)
	defer r.loop.Close()
	r.workers.start(r.cfg.Workers)
	returned := false
	defer func() { // a recover would lose the stack of the panic: only notice it
		if !returned {
			r.stopAfterPanic()
		}
	}()
	for {
		if over, err := r.turn(ctx); over {
			returned = true
			r.workers.stop(r.workersGrace())
			return err
		}
	}
}
