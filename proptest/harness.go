package proptest

import (
	"context"
	"fmt"
	"io"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/trace"
)

// Host is how a harness plays the part of the host where the model leaves it free.
type Host struct {
	// Objects: a Queue wait is registered with objects, which the scheduler must
	// withdraw it from. Otherwise it has none, and only tickets and IDs end it.
	Objects bool
	// Lazy: a completion is collected when its fiber runs. Otherwise at once.
	Lazy bool
	// Shell: after every comparison the host asks which operations to cancel.
	Shell bool
	// Variants: an action that several calls can do is done by each of them in turn.
	// Otherwise by the plainest.
	Variants bool
	// Merges: a wait that is blocked in as soon as it is armed is one call, every other
	// time. Otherwise it always is two.
	Merges bool
	// Trace is where the harness's scheduler writes what it does, if it is not nil.
	Trace io.Writer
}

// Harness drives one real scheduler with the actions of the model. The payload of a fiber
// is the slot of the model it stands for.
type Harness struct {
	// Scheduler is the real one. To call it past the harness is to break the harness.
	Scheduler *scheduler.Scheduler[spec.Slot]

	bounds   spec.Config
	host     Host
	calls    *calls
	variants [kinds][]variant
	merges   []merged
	taken    map[string]int // how often each variant was taken; nil if that is not counted
	trace    *trace.Writer  // nil without Host.Trace
	names    names
	ledger   ledger
	stalls   []*stall
	shot     snapshots
	remote   *remote
	outside  promises
	clock    *scheduler.VirtualClock
	run      *scheduler.Loop // the run under way; nil without Config.Runs
	picked   fiber.ID        // by the Pick under way; 0 if there is none
	brief    bool            // Match leaves out what costs most, but for every fourth step
	step     uint32          // numbers the actions; results carry it, so that no two are equal
}

// schedulerNumber is the Config.Number of every harness's scheduler: any but 0, which a
// forged ticket would have by accident.
const schedulerNumber = 7

// NewHarness makes a scheduler with room for exactly what the bounds allow, and the harness
// for it.
func NewHarness(bounds spec.Config, host Host) *Harness {
	r := &Harness{bounds: bounds, host: host, calls: theCalls(), clock: scheduler.NewVirtualClock()}
	cfg := scheduler.Config{
		Number:         schedulerNumber,
		MaxFibers:      bounds.Fibers,
		MaxTrampolines: max(bounds.Trampolines, 1), // 0 would be the default
		MaxTokens:      max(bounds.Tokens, 1),
		MaxNesting:     max(bounds.Pins, 1),
		Generations:    uint32(bounds.Lives),
		Dropped:        r.ledger.isDropped,
		Clock:          r.clock,
	}
	if bounds.Grace {
		cfg.Grace = gracePeriod
	}
	if bounds.Free {
		cfg.Choose = r.choose
	}
	if host.Lazy {
		cfg.MaxTokens += bounds.Fibers // each may have one that it has not collected
	}
	if host.Objects {
		r.stalls = newStalls(bounds.Fibers)
	}
	if bounds.Moves {
		r.remote = newRemote()
	}
	r.names.last = fiber.NewSeq(schedulerNumber, 0)
	if host.Variants {
		r.variants = variants()
	}
	if host.Merges {
		r.merges = merges()
	}
	if host.Trace != nil {
		r.trace = trace.New(host.Trace, &cfg)
	}
	r.Scheduler = scheduler.New[spec.Slot](cfg)
	if bounds.Outside {
		r.Scheduler.Ops().AddDevice(&r.outside.device)
	}
	if bounds.Runs {
		r.run = r.Scheduler.Steps().Begin(context.Background())
	}
	return r
}

// Do performs an action of the model, which leads it from one state to another. The
// scheduler must be in the first; it is in the second if Match says so. Do tells what
// the scheduler answered. The error is what it panicked with, or returned although it
// should have gone on.
func (r *Harness) Do(from *spec.State, a spec.Action, to *spec.State) (answer spec.Answer, err error) {
	r.step++
	answer, err = r.perform(r.pick(from, a), from, a, to)
	if err == nil {
		r.ledger.book(r, from, a, to, answer)
	}
	return answer, err
}

// perform is Do by one of the variants and without the ledger.
func (r *Harness) perform(do call, from *spec.State, a spec.Action, to *spec.State) (answer spec.Answer, err error) {
	defer caught(&err)
	return do(r, from, a, to)
}

// caught turns a panic into an error. What is no error was not the scheduler's panic.
func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case error:
		*err = p
	default:
		panic(p)
	}
}

// result is what the delivery of this step carries.
func (r *Harness) result() fiber.Result {
	return fiber.Result{Code: fiber.OK + fiber.Code(r.step%3), Value: r.step}
}

// completion is what the operation that ends in this step ends with.
func (r *Harness) completion() ioqueue.Completion { return ioqueue.Completion{N: int(r.step)} }

// errorf is a difference that the harness itself has noticed.
func errorf(format string, args ...any) error {
	return fmt.Errorf("the scheduler: "+format, args...)
}
