package vm

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/lib"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
	"github.com/selvage-dev/selvage/internal/gotools"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Config configures a Machine.
type Config struct {
	Scheduler scheduler.Config
	Stdout    io.Writer
	Stderr    io.Writer
	Args      []string
	Env       []string
	Start     time.Time // the wall-clock time of clock instant 0
	MaxDepth  int       // of calls in one fiber
	MaxStack  int       // of one fiber, in registers
	JIT       JITMode
	Quota     quota.Limits
	Bound     map[string]lib.Func // the functions of the host
	// Races ends the program with a *Race at its first data race, and Found, if it is not nil, is called
	// instead. AccessPoints lets Scheduler.Choose preempt a goroutine at each access. Both need a
	// program that was compiled to be watched.
	Races        bool
	AccessPoints bool
	Found        func(*Race)
	Pausable     bool             // Run has a Group too
	CountSteps   bool             // of each fiber
	Profile      *profile.Profile // nil is none
}

// Machine runs one program once.
type Machine struct {
	meter
	cfg       Config
	prog      *code.Program
	types     value.Types
	sched     *scheduler.Scheduler[State]
	loop      *scheduler.Loop
	globals   []*value.Object
	natives   []lib.Func
	host      *lib.Host
	call      lib.Call
	over      error // why the program has ended
	halted    bool  // no code of the program runs: it has ended, or its memory is measured
	mem       memory
	begun     bool // the program has been initialized, or is being
	settingUp bool
	later     []awaited // posted before the program is initialized
	stop      context.CancelCauseFunc
	main      fiber.RegularID
	out       fiber.OutcomeKind // how the slice ended; if Blocked, the wait is already armed
	goexit    bool              // the main goroutine has ended by Goexit
	trial     bool              // a method runs outside of any fiber
	account   *quota.Account
	grants    settlement
	counts    *counts          // nil without Config.CountSteps
	group     *scheduler.Group // nil if nothing needs it, because it costs time for each fiber
	ops       operations       // that are suspended
	attempt   value.Pace       // of the native function that runs
	inline    *value.Pace      // of operations that are not suspended
	jit       *mixed           // nil: everything is interpreted
	entries   []uintptr        // the JIT's entry table
	noJIT     string           // why there is no machine code
	watcher   *watcher         // nil if Watch does nothing
	profiler  *profiler        // nil without Config.Profile
	shown     *gotools.Slices  // nil without Config.GoTools of the scheduler
	showing   fiber.ID
	blocked   []blockedFiber // when the context ended after main had returned
}

// New makes a machine for a program.
func New(prog *code.Program, cfg Config) (*Machine, error) {
	m := &Machine{cfg: cfg, prog: prog, types: prog.Types}
	m.cfg.Scheduler.Site = m.site
	m.beginShowing()
	m.cfg.Scheduler.Unobserved = nil // a goroutine that fails ends the program; Goexit is not a failure
	m.sched = scheduler.New[State](m.cfg.Scheduler)
	for _, g := range prog.Globals {
		m.globals = append(m.globals, value.NewObject(g.N, g.R))
	}
	table := lib.Natives()
	for _, name := range prog.Natives {
		f := table[name]
		if f == nil {
			f = cfg.Bound[name]
		}
		if f == nil {
			return nil, fmt.Errorf("minigo: the library declares %s, but has no native function for it", name)
		}
		m.natives = append(m.natives, f)
	}
	m.host = &lib.Host{
		Program: prog, Types: m.types, Core: &m.sched.Core, Stdout: cfg.Stdout, Stderr: cfg.Stderr,
		Args: cfg.Args, Env: cfg.Env, Start: cfg.Start, Random: m.sched.Inspect().Random(),
	}
	m.host.Output, m.host.Alloc = m.output, m.alloc
	m.host.Limited = cfg.Quota.Memory != 0
	m.host.Text, m.host.Substring, m.host.Shared = m.newText, m.substring, m.sharedText
	m.call.Host = m.host
	m.inline = value.NewPace(m.spend)
	m.account = quota.New("", cfg.Quota)
	if cfg.Quota != (quota.Limits{}) || cfg.Pausable {
		m.group = m.sched.Attachments().NewGroupOf(m.account)
	}
	m.limitMemory(cfg.Quota.Memory)
	m.stretch = m.sched.Inspect().Budget()
	m.full, m.left = int64(m.stretch), min(unlimited, m.account.Left(quota.Steps))
	m.taken = m.left
	m.beginCounting()
	if err := m.beginWatch(); err != nil {
		return nil, err
	}
	if err := m.beginProfile(); err != nil {
		return nil, err
	}
	if err := m.beginJIT(); err != nil {
		return nil, err
	}
	return m, nil
}

// Core is the scheduler.
func (m *Machine) Core() *scheduler.Core { return &m.sched.Core }

// Context is the context of the goroutine that executes.
func (m *Machine) Context() context.Context { return m.host.Context() }

// Run runs the program to its end. Errors: *Exit, *Panicked, *Deadlock, ctx's.
func (m *Machine) Run(ctx context.Context) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m.stop = stop
	defer m.stopOperations()
	m.begun = true
	if m.jit != nil {
		defer m.jit.close()
		if err := m.compileEagerly(); err != nil {
			return err
		}
	}
	var st State
	st.begin(m.prog.Init)
	st.extra().main = true
	var err error
	if m.main, err = m.sched.SpawnWith(st, scheduler.Options{Main: true, Group: m.group}); err != nil {
		return err
	}
	err = m.drive(inner)
	m.settleAll()
	if m.over != nil {
		return m.over
	}
	return m.explain(err)
}

// stopOperations ends the coroutines.
func (m *Machine) stopOperations() {
	m.ops.stop()
	if m.mem.measure != nil {
		m.mem.measure.stop()
	}
}

// output writes to an output of the program as far as its quota allows.
func (m *Machine) output(to io.Writer, s string) {
	if m.over == nil && m.mayPrint() && m.takeOutput(int64(len(s))) {
		_, _ = io.WriteString(to, s) // the program cannot receive the error
	}
}

// Spent is what the program has used of each resource.
func (m *Machine) Spent() quota.Spent {
	m.settle()
	m.countMemory()
	if m.group != nil {
		return m.group.Spent()
	}
	return m.account.Spent()
}

// end ends the program.
func (m *Machine) end(why error) {
	if m.over == nil {
		m.over = why
		m.halted = true
		m.stop(why)
	}
}
