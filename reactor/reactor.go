package reactor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Config is what a Reactor is made with; the zero Config is usable, and inline.
type Config struct {
	scheduler.Config
	// Workers is how many slices run in parallel, each on a goroutine of its own. 0 is
	// inline: the goroutine that calls Run runs them, one after the other.
	Workers int
	// IO is the pool that does blocking work for the fibers; see Reactor.IO.
	IO PoolConfig
	// InFlight is how many slices may be with the workers, running or next; 0 means two
	// for each. What the fibers do takes effect in the order in which slices end, so more
	// of them make a run less fair and not faster.
	InFlight int
	// Ordered has slices take effect in the order in which they were handed out, not in
	// that in which they end. Then a run without I/O and timers is the same on every
	// machine, with any number of workers and the same InFlight.
	Ordered bool
	// Slice is how long a slice may run before it is asked to make room, and again each
	// time as long; 0 means DefaultSlice.
	Slice time.Duration
	// Refusals is how often it may be asked in vain before it is reported; 0 means
	// DefaultRefusals.
	Refusals int
	// Stalled is told, by the owner, of a slice that did not heed that many requests. It
	// may use the scheduler.
	Stalled func(Stall)
	// KillStalled kills the fiber of such a slice too; it dies when the slice ends.
	KillStalled bool
	// Drain is how long Run waits for slices that are under way when it has been ended;
	// 0 means DefaultDrain.
	Drain time.Duration
}

// What a Config means that does not say.
const (
	DefaultSlice    = 10 * time.Millisecond
	DefaultRefusals = 100
	DefaultDrain    = 10 * time.Second
	MaxWorkers      = 1 << 12
)

// Stall is a slice that goes on although it was asked to make room.
type Stall struct {
	ID    fiber.RegularID
	For   time.Duration // how long it has run
	Asked int           // how often it was asked: Config.Refusals
}

var (
	// ErrStalled is the cause of the kill of a fiber whose slice did not make room.
	ErrStalled = errors.New("reactor: the slice did not make room when it was asked to")
	// ErrRan: a Reactor runs once.
	ErrRan = errors.New("reactor: Run was called before: make another Reactor")
	// ErrConfig is a limit that makes no sense; the error says which, and what it may be.
	ErrConfig = errors.New("reactor: bad configuration")
)

// StragglersError is how a run ends whose slices did not all end: their goroutines go on
// by themselves, and the scheduler is of no use any more.
type StragglersError struct {
	IDs   []fiber.RegularID
	Cause error // what had ended the run
}

// Error names the fibers.
func (e *StragglersError) Error() string {
	return fmt.Sprintf("reactor: the slices of %v did not end: %v", e.IDs, e.Cause)
}

// Unwrap is what had ended the run.
func (e *StragglersError) Unwrap() error { return e.Cause }

// Reactor runs the fibers of one scheduler on several workers. One goroutine, the one that
// calls Run, owns it and the scheduler; workers run slices and touch neither: a slice
// leaves what it wants done, and the owner does it (docs/design.md#loop).
type Reactor[T any] struct {
	sched *scheduler.Scheduler[T]
	cfg   Config
	crew  *crew[T]
	io    *Pool
	loop  *scheduler.Loop // of the Run under way

	lines   lines[T]
	flights []*Slice[T]  // with the workers, in the order in which they were handed out
	arrived []result[T]  // of slices that are to be applied
	pending []pending[T] // by slot: what the fiber waits for
	asks    *Slice[T]    // taken back in this turn, with an operation that is to begin
	spare   []*Slice[T]
	handed  uint64    // slices that were handed out so far
	strays  uint64    // results that were of no flight
	ending  time.Time // when the run was first seen to end
	served  uint64    // the scheduler's transitions when the devices were served in this turn
	acted   bool      // a slice has ended since, or a command was carried out
}

// pending is the operation in which a fiber's last slice ended.
type pending[T any] struct {
	id    fiber.RegularID
	await Await[T] // nil: it just blocked

	refused error // why it has not
}

// New makes a reactor. Without workers and without a clock of its own (Config.Clock) its
// time is virtual, as a scheduler's is; workers take real time, and WallClock is theirs.
// The error is ErrConfig.
func New[T any](cfg Config, m Machine[T]) (*Reactor[T], error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Workers > 0 {
		cfg.Clock = NewWallClock()
	}
	if cfg.InFlight == 0 {
		cfg.InFlight = max(1, 2*cfg.Workers)
	}
	cfg.Slice, cfg.Drain = cmp(cfg.Slice, DefaultSlice), cmp(cfg.Drain, DefaultDrain)
	if cfg.Refusals == 0 {
		cfg.Refusals = DefaultRefusals
	}
	r := &Reactor[T]{sched: scheduler.New[T](cfg.Config), cfg: cfg, lines: lines[T]{}}
	var err error
	if r.io, err = NewPool(&r.sched.Core, cfg.IO); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	r.crew = newCrew(m, cfg.InFlight, r.sched.Inbox().Notify)
	r.crew.inline = cfg.Workers == 0
	return r, nil
}

func cmp(d, or time.Duration) time.Duration {
	if d == 0 {
		return or
	}
	return d
}

func (c *Config) check() error {
	for _, limit := range []struct {
		name    string
		n, most int64
	}{
		{"Workers", int64(c.Workers), MaxWorkers}, {"InFlight", int64(c.InFlight), 1 << 20}, {"Refusals", int64(c.Refusals), 1 << 30},
		{"Slice", int64(c.Slice), int64(time.Hour)}, {"Drain", int64(c.Drain), int64(24 * time.Hour)},
	} {
		if limit.n < 0 || limit.n > limit.most {
			return fmt.Errorf("%w: %s is %d: want 0 to %d", ErrConfig, limit.name, limit.n, limit.most)
		}
	}
	if c.Workers > 0 && c.Clock != nil {
		return fmt.Errorf("%w: Clock is set: slices on workers take real time, leave it nil", ErrConfig)
	}
	return nil
}

// Scheduler is what the fibers run on. The rules of its contract apply.
func (r *Reactor[T]) Scheduler() *scheduler.Scheduler[T] { return r.sched }

// IO does blocking work: an Await submits it under a token of Scheduler().Submit and arms a
// wait for that (fiber.OnIO). It is closed when the run has ended.
func (r *Reactor[T]) IO() *Pool { return r.io }

// Run spawns the main fiber and drives all fibers until it ends, and returns what it ended
// with; the others are killed then. Otherwise it ends as scheduler.Run does: by a deadlock,
// a panic that fails the run, or ctx. It returns when every slice and all blocking work has
// ended, and the workers with them, or with what did not: *StragglersError, ErrStragglers. A
// panic of what slices leave for the owner goes on from here, when all goroutines have ended
// or Config.Drain is over.
func (r *Reactor[T]) Run(ctx context.Context, main T) (result any, err error) {
	if r.loop != nil {
		return nil, ErrRan
	}
	var failed error
	ended := func(v any, err error) { result, failed = v, err }
	id, err := r.sched.SpawnWith(main, scheduler.Options{Name: "main", Ended: ended})
	if err != nil {
		return nil, err
	}
	if err := r.sched.Attachments().SetMain(id); err != nil {
		return nil, err
	}
	if err := errors.Join(r.run(ctx), r.drainIO()); err != nil {
		return nil, err
	}
	return result, failed
}

// drainIO ends the work that nobody waits for any more.
func (r *Reactor[T]) drainIO() error {
	ctx, cancel := context.WithTimeout(context.Background(), r.cfg.Drain)
	defer cancel()
	_, err := r.io.Close(ctx)
	return err
}

func (r *Reactor[T]) run(ctx context.Context) error {
	r.loop = r.sched.Steps().Begin(ctx)
	defer r.loop.Close()
	r.crew.hire(r.cfg.Workers)
	returned := false
	defer func() {
		if !returned {
			r.evacuate()
		}
	}()
	for {
		if over, err := r.turn(ctx); over {
			returned = true
			r.crew.release(r.patience())
			return err
		}
	}
}

// patience is how long to wait for the workers of a run that is over: until they have left,
// unless they are known to go on.
func (r *Reactor[T]) patience() time.Duration {
	if len(r.flights) > 0 {
		return 0
	}
	return math.MaxInt64
}

// evacuate is for an owner that panics, in an effect of a slice or an operation: slices and
// work are asked to end and their goroutines joined, within Config.Drain, before the panic
// goes on. The scheduler is not touched any more.
func (r *Reactor[T]) evacuate() {
	for _, s := range r.flights {
		s.preempt.Store(true)
	}
	r.crew.drop()
	r.crew.release(r.cfg.Drain)
	r.io.abandon(r.cfg.Drain)
}
