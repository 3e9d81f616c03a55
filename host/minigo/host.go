package minigo

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/vm"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// Defaults of a zero Config.
const (
	DefaultMaxDepth = 1 << 20
	DefaultMaxStack = 1 << 23
)

// exploredBudget is the slice of a program that is explored: so short that a loop which polls is noticed.
const exploredBudget = 250

// Config is what a Host is made with. The zero Config is usable: virtual time, default
// limits, and nowhere to print to.
type Config struct {
	// Scheduler configures the scheduler. Its Budget is the slice, counted in calls and
	// jumps back; its Site is the Host's own.
	Scheduler scheduler.Config
	// Access is what the program reaches: Stdout, Stderr, Env, and Start, the time at the beginning of
	// the scheduler's clock. The subset has no input, files, network or processes, and its random
	// numbers are the scheduler's.
	Access sandbox.Access
	// Args are os.Args: the name of the program first.
	Args []string
	// MaxDepth limits the call depth of a goroutine, and MaxStack the registers of each kind that
	// its calls take; beyond them is Go's fatal error "stack overflow".
	MaxDepth, MaxStack int
	// JIT says which functions become machine code. The zero value is JITOn.
	JIT JITMode
	// Quota limits what the program may use. Run returns a *quota.Error when it uses more; the
	// program cannot recover from it.
	Quota quota.Limits
	// Pausable lets Pause, Resume and Shutdown end and stop a Run too, at the cost of a part of a
	// microsecond for each goroutine. Not needed for Call and Serve, and with a Quota.
	Pausable bool
	// IOWorkers is how many functions of bind.NewBlocking run at the same time; 0 means 64.
	IOWorkers int
	// Races ends the run with a *RaceError at the first data race: two accesses of one variable, element
	// or map, at least one of them a write, that nothing orders. It needs a program of CompileWatched.
	Races bool
	// AccessPoints lets Scheduler.Choose preempt a goroutine before each access of memory that others
	// may reach. It needs a program of CompileWatched.
	AccessPoints bool
	// CountSteps counts the steps of each goroutine, for Host.Steps. A time slice then costs some nanoseconds more.
	CountSteps bool
	// Profile gets samples of where the program spends its time; nil is none. The program is interpreted
	// meanwhile, whatever JIT is but JITEager, with which New fails, as with Races or AccessPoints. A sample
	// falls on a call, on a jump back, which counts to the head of the loop, or on a function of the library
	// that is written in Go of the host.
	Profile *profile.Profile
}

// JITMode says which functions become machine code.
type JITMode = vm.JITMode

// The modes.
const (
	// JITOn compiles hot functions; where machine code is not supported, it is JITOff.
	JITOn = vm.JITOn
	// JITOff interprets everything.
	JITOff = vm.JITOff
	// JITEager compiles everything before it runs. New fails where machine code is not supported.
	JITEager = vm.JITEager
)

// JITWorks reports whether machine code is supported on this machine: the error says why not.
func JITWorks() error { return vm.JITWorks() }

// JITStats are counters of the JIT in a run.
type JITStats = vm.JITStats

// Host runs a program once. It belongs to one goroutine.
type Host struct {
	machine *vm.Machine
	sources []File // of an inspected program
	codec   bind.Codec
	virtual bool // time is
	workers int
	control control.Control
	bound   map[string]*bound
	pool    *blocking.Pool // nil before the first blocking function
	running []*running
	sweepAt int // so many are too many, if some have ended
	names   map[*code.Type][]string
	types   map[string]*code.Type // what values have in an interface, by name
}

// How a program ends other than by a return from main.
type (
	// ExitError is os.Exit with a status that is not 0.
	ExitError = vm.Exit
	// PanicError is a panic that was not recovered. Its message is Go's.
	PanicError = vm.Panicked
	// FatalError is an error of Go's runtime that cannot be recovered: a stack overflow.
	FatalError = vm.Fatal
	// DeadlockError says that all goroutines are blocked forever, and where. It wraps the
	// scheduler's report.
	DeadlockError = vm.Deadlock
	// RaceError is a data race, with the stacks of both accesses.
	RaceError = vm.Race
)

// New makes a Host for a program. A nil program is an error.
func New(p *Program, cfg Config) (*Host, error) {
	if p == nil {
		return nil, errors.New("minigo: New has no program: pass the one that Compile returned")
	}
	c := vm.Config{
		Scheduler: cfg.Scheduler, Stdout: orDiscard(cfg.Access.Stdout), Stderr: orDiscard(cfg.Access.Stderr), Args: cfg.Args, Env: cfg.Access.Env,
		Start: cfg.Access.Start, MaxDepth: orDefault(cfg.MaxDepth, DefaultMaxDepth), MaxStack: orDefault(cfg.MaxStack, DefaultMaxStack),
		JIT: cfg.JIT, Quota: cfg.Quota, Races: cfg.Races, AccessPoints: cfg.AccessPoints, Pausable: cfg.Pausable,
		Profile: cfg.Profile, CountSteps: cfg.CountSteps,
	}
	if p.explored && c.Scheduler.Budget <= 0 {
		c.Scheduler.Budget = exploredBudget
	}
	if cfg.Access.Start.IsZero() {
		c.Start = time.Unix(0, 0)
	}
	_, virtual := cfg.Scheduler.Clock.(*scheduler.VirtualClock)
	h := &Host{
		virtual: virtual || cfg.Scheduler.Clock == nil, workers: cfg.IOWorkers,
		sources: p.sources,
		codec:   bind.Codec{Nanoseconds: true, Function: isFunction}, bound: map[string]*bound{}, names: map[*code.Type][]string{}, types: map[string]*code.Type{},
	}
	c.Bound = h.natives(p.bound)
	for _, t := range p.code.Types {
		if t != nil && t.Pkg == "" {
			h.types[t.Name] = t
		}
	}
	var err error
	if h.machine, err = vm.New(p.code, c); err != nil {
		return nil, err
	}
	h.control.Package, h.control.Core, h.control.Grace = "minigo", h.machine.Core(), cfg.Scheduler.Grace
	h.control.Ensure, h.control.NoGroup = h.machine.Group, ErrNotPausable
	h.control.Drive = func(ctx context.Context) { _ = h.machine.Finish(ctx) }
	if cfg.Pausable || cfg.Quota != (quota.Limits{}) {
		h.control.SetGroup(h.machine.Group())
	}
	return h, nil
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

func orDefault(n, or int) int {
	if n <= 0 {
		return or
	}
	return n
}

// Scheduler is what the goroutines run on, for reports and figures, and to end one of them:
// a goroutine that is cancelled runs its deferred calls where it next waits, as by
// runtime.Goexit, and one that is killed does not. The program ends with main's goroutine: Run
// returns the cause if it was cancelled, and an error that wraps scheduler.ErrKilled if it was
// killed.
func (h *Host) Scheduler() *scheduler.Core { return h.machine.Core() }

// Context is the context of the goroutine that executes, for Go code that the program calls, such as
// Config.Access.Stdout: with the values and the deadline of the context given to Run, ended when the goroutine
// is cancelled or killed or ends, and with the program. While none executes, it is
// context.Background. The program's own package context is another.
func (h *Host) Context() context.Context { return h.machine.Context() }

// JITStats returns the counters of the JIT so far.
func (h *Host) JITStats() JITStats { return h.machine.JITStats() }

// Spent is what the program has used so far, in the units of Config.Quota. Memory is an upper bound
// of what it holds. Call it while Run does not run, or from Go code that the program calls.
func (h *Host) Spent() quota.Spent { return h.machine.Spent() }

// Steps is how many steps a goroutine has taken, in the unit of Config.Quota. counted is false without Config.CountSteps,
// and if the ID is of no living fiber of this Host. The goroutine that runs the Host calls it, as Stack.
func (h *Host) Steps(id fiber.RegularID) (steps uint64, counted bool) { return h.machine.Steps(id) }

// Stranded is for a run that has ended with its context after main had returned (scheduler.Config.Linger).
// It returns a *scheduler.LeakError of the goroutines that are blocked and that no timer wakes. ran says
// which have run lately: another one that waits for a timer could wake them, and then the result is nil.
func (h *Host) Stranded(ran func(fiber.ID) bool) error { return h.machine.Stranded(ran) }

// Run runs the program until main returns, and nil is returned; until it ends otherwise
// (*ExitError, *PanicError, *FatalError, *DeadlockError); or until ctx ends, whose error
// is returned. After Shutdown or Close it is scheduler.ErrStopped.
func (h *Host) Run(ctx context.Context) error {
	end, err := h.begin(ctx, "Run", false)
	if err != nil {
		return err
	}
	defer end()
	defer h.endRunning()
	err = h.machine.Run(ctx)
	if exit, ok := err.(*ExitError); ok && exit.Status == 0 {
		return nil
	}
	return err
}
