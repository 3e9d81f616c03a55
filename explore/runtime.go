package explore

import (
	"context"
	"errors"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Bounds end a run that would not end. 0 is the default.
type Bounds struct {
	Steps int           // transitions of the scheduler; 100,000
	Time  time.Duration // virtual time; an hour
}

// Defaults of Bounds.
const (
	defaultSteps = 100_000
	defaultTime  = time.Hour
)

// errEndless is the cause of a run's end at its bounds.
var errEndless = errors.New("the run has passed its bounds")

// Watch prepares the configuration of a scheduler for one explored run: Choose, virtual time, and the
// bounds, at which the context that it returns ends. The caller runs the program with that context,
// then calls stop, and asks passed whether the bounds were.
func (b Bounds) Watch(ctx context.Context, cfg *scheduler.Config, choose func(scheduler.Choice) int) (run context.Context, stop context.CancelFunc, passed func() bool) {
	if b.Steps <= 0 {
		b.Steps = defaultSteps
	}
	if b.Time <= 0 {
		b.Time = defaultTime
	}
	run, end := context.WithCancelCause(ctx)
	clock := scheduler.NewVirtualClock()
	start, steps, over := clock.Now(), 0, false
	check := func() {
		if steps++; !over && (steps > b.Steps || time.Duration(clock.Now()-start) > b.Time) {
			over = true
			end(errEndless)
		}
	}
	next := cfg.Observer
	cfg.Clock = clock
	cfg.Observer = func(t scheduler.Transition) {
		check()
		if next != nil {
			next(t)
		}
	}
	// The end of the context arrives at some later step: the decisions until then do not count.
	cfg.Choose = func(c scheduler.Choice) int {
		if over {
			return 0
		}
		return choose(c)
	}
	return run, func() { end(nil) }, func() bool { return over }
}

// Runtime makes a program of the fibers that start spawns. They must end by themselves: fibers that wait
// for each other are a Deadlock, the error or panic of a fiber that no other joins is a Failure. start
// is called for each run, and must make all that the fibers share.
func Runtime(b Bounds, start func(rt *stackful.Runtime)) Program {
	return func(choose func(scheduler.Choice) int) (Ending, error) {
		var cfg stackful.Config
		failed := Ending{Kind: Passed}
		cfg.Unobserved = func(err *scheduler.UnobservedError) {
			if failed.Kind == Passed {
				failed = Ending{Kind: Failure, Text: err.Error()}
			}
		}
		ctx, stop, passed := b.Watch(context.Background(), &cfg.Config, choose)
		defer stop()
		rt := stackful.New(cfg)
		defer rt.Close()
		start(rt)
		err := rt.Run(ctx)
		switch {
		case passed():
			return Ending{Kind: Endless, Text: errEndless.Error()}, nil
		case errors.As(err, new(*scheduler.DeadlockError)):
			return Ending{Kind: Deadlock, Text: err.Error()}, nil
		case err != nil:
			return Ending{Kind: Failure, Text: err.Error()}, nil
		}
		return failed, nil
	}
}
