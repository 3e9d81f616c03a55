package explore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/scheduler"
)

// Bounds end a run that would not end. 0 is the default.
type Bounds struct {
	Steps int           // transitions and decisions of the scheduler; 1,000,000
	Time  time.Duration // virtual time; an hour
}

// Defaults of Bounds.
const (
	defaultSteps = 1_000_000
	defaultTime  = time.Hour
)

// BoundsError is the cause (context.Cause) of the end of a run's context.
type BoundsError struct {
	// Returned says that the main fiber has returned.
	Returned bool
	// Ran reports whether a fiber has run in the second half of the time since then.
	Ran func(fiber.ID) bool
}

// Error says that it was the bounds.
func (e *BoundsError) Error() string { return "the run has passed its bounds" }

// Guest makes a program of a host. run is called for each run: it makes a new host whose scheduler has
// the configuration, runs the program from its beginning until ctx ends, with its output to the writer,
// closes the host, and returns the error; one with a method DataRace() is a Race. The first fiber that it spawns is the main fiber: when it has
// returned, the run continues until no fiber is ready (Config.Linger), and the fibers that can never
// run again are a Leak. If some of them wait for the time again and again, the run ends at a bound: the
// cause of ctx is a *BoundsError, with which run can find the others, and return their *scheduler.LeakError.
func Guest(b Bounds, run func(ctx context.Context, cfg scheduler.Config, output io.Writer) error) Program {
	return func(d *Decisions) (Ending, error) {
		var output bytes.Buffer
		w := newWatch(b, d)
		defer w.end(nil)
		w.cfg.Linger = true
		err := run(w.ctx, w.cfg, recorded{&output, w})
		ending := w.ending(err)
		ending.Output = output.String()
		w.view.complete(&ending, err)
		return ending, nil
	}
}

// recorded is the output of a run. The order of what is written to it counts.
type recorded struct {
	io.Writer
	watch *watch
}

func (r recorded) Write(b []byte) (int, error) {
	if s := r.watch.trail; s != nil {
		s.use(s.last(), recorded{})
	}
	return r.Writer.Write(b)
}

// watch is one explored run: its choices, its virtual time and its bounds.
type watch struct {
	Bounds
	cfg   scheduler.Config
	ctx   context.Context // ends when the bounds are passed
	end   context.CancelCauseFunc
	clock *scheduler.VirtualClock
	start fiber.Time
	trail *steps // of d; nil when the run has ended
	view  *view  // nil if the steps are not shown

	steps    int
	over     bool // the bounds are passed
	main     fiber.ID
	returned bool // the main fiber has ended
	after    activity
	spin     spin
	creep    creep
	failed   error // of a fiber that no other joins; the first one
}

func newWatch(b Bounds, d *Decisions) *watch {
	if b.Steps <= 0 {
		b.Steps = defaultSteps
	}
	if b.Time <= 0 {
		b.Time = defaultTime
	}
	w := &watch{Bounds: b, clock: scheduler.NewVirtualClock(), trail: d.steps}
	parent := d.ctx
	if parent == nil {
		parent = context.Background()
	}
	if d.shown {
		w.view = &view{fibers: map[fiber.ID]*FiberState{}}
		parent = context.WithValue(parent, viewKey{}, w.view)
	}
	w.ctx, w.end = context.WithCancelCause(parent)
	w.start = w.clock.Now()
	w.cfg = scheduler.Config{Clock: w.clock, Observer: w.observe, Unobserved: w.unobserved, Choose: func(c scheduler.Choice) int {
		if w.over {
			return 0 // the end of the context arrives at some later step: until then nothing counts
		}
		w.step(1)
		if c.Kind == scheduler.ChoosePoint {
			w.view.at(c.Fibers[0])
		}
		w.advance()
		if w.spin.impatient(c, d.Choose) {
			return 1
		}
		return d.Choose(c)
	}}
	if w.trail != nil {
		w.cfg.Touched = w.touched
	}
	return w
}

// observe counts the transitions. It is also how the virtual time is watched: a run in which the time
// advances has transitions.
func (w *watch) observe(t scheduler.Transition) {
	if w.advance(); w.trail != nil {
		w.trail.observe(t)
	}
	if !w.over {
		w.view.observe(t)
	}
	switch {
	case t.Op == op.Spawn && w.main == 0:
		w.main = t.ID
	case t.Op == op.Exit && t.ID == w.main && !w.over: // later it is the end of the context, or a race with it
		w.returned = true
		w.after = activity{now: w.clock.Now(), ran: map[fiber.ID]int{}}
	}
	if w.returned {
		w.after.note(t, w.clock.Now())
	}
	if t.Op == op.Yield { // the end of a slice, for all we know
		w.step(sliceSteps)
	} else {
		w.step(1)
	}
}

// step counts transitions and decisions, and ends the run at its bounds.
func (w *watch) step(n int) {
	w.steps += n
	w.creep.step(n, w.clock)
	if !w.over && (w.steps > w.Steps || time.Duration(w.clock.Now()-w.start) > w.Time || w.after.enough()) {
		w.over, w.trail = true, nil
		w.end(&BoundsError{w.returned, w.after.inSecondHalf})
	}
}

func (w *watch) touched(id fiber.ID, objects []any) {
	if w.advance(); w.trail != nil {
		w.trail.touched(id, objects)
	}
}

// advance notes how the time has advanced since the last step.
func (w *watch) advance() {
	if w.trail != nil {
		w.trail.advanced(w.clock.Now())
	}
}

func (w *watch) unobserved(err *scheduler.UnobservedError) {
	if w.failed == nil && !w.over {
		w.failed = err
	}
}

// ending classifies how a run ended.
func (w *watch) ending(err error) Ending {
	w.trail = nil // what comes is the end of the host
	if err == nil {
		err = w.failed
	}
	var race interface {
		error
		DataRace()
	}
	var leak *scheduler.LeakError
	var deadlock *scheduler.DeadlockError
	switch {
	case errors.As(err, &race):
		return Ending{Kind: Race, Text: race.Error()}
	case w.over && w.returned && errors.As(err, &leak):
		return Ending{Kind: Leak, Text: err.Error()}
	case w.over && w.returned:
		return Ending{Kind: Passed} // what is left serves, and could do so without end
	case w.over:
		return Ending{Kind: Endless, Text: "the run has passed its bounds"}
	case err == nil:
		return Ending{Kind: Passed}
	case errors.As(err, &leak):
		return Ending{Kind: Leak, Text: err.Error()}
	case errors.As(err, &deadlock):
		return Ending{Kind: Deadlock, Text: err.Error()}
	}
	return Ending{Kind: Failure, Text: err.Error()}
}
