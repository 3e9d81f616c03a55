package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/starlark"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/profile"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/timeline"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trace"
	"github.com/selvage-dev/selvage/wallclock"
)

type runCmd struct {
	// The file and its arguments are one list, so that no flag is looked for behind
	// the file: what stands there is the program's.
	Program words `arg:"" name:"FILE" passthrough:"partial" help:"The program, FILE.lua, FILE.wasm, FILE.go or FILE.star, and its arguments."`

	Virtual   bool   `help:"Virtual time: it stands still while any fiber can run and then jumps, so that sleeps take no time and every run is the same. A fiber in a busy loop and one that sleeps never meet: time stands still during the loop."`
	Budget    int    `aliases:"slice" default:"10000" env:"SELVAGE_BUDGET" help:"Instructions a fiber runs before the others get their turn (${default})." placeholder:"N"`
	MaxFibers int    `default:"1000000" env:"SELVAGE_MAX_FIBERS" help:"How many fibers may be alive at once, the main program included (${default})." placeholder:"N"`
	Copies    int    `default:"1" help:"Run the program so often at once, each time in a state of its own (${default})." placeholder:"N"`
	Workers   int    `default:"1" env:"SELVAGE_WORKERS" help:"How many copies run in parallel; the others take turns with them (${default})." placeholder:"N"`
	IOWorkers int    `name:"io-workers" aliases:"io" default:"64" env:"SELVAGE_IO_WORKERS" help:"How many files a copy may read and write at once (${default})." placeholder:"N"`
	Seed      uint64 `default:"1" help:"Seed of the choices of fiber.select (${default})." placeholder:"N"`
	JIT       string `name:"jit" default:"on" enum:"off,on,eager" help:"Which functions of a Go program become machine code: off, on (those that run often) or eager (all, and it is an error if there is none for this machine); ${default}." placeholder:"MODE"`
	JITStats  bool   `name:"jit-stats" help:"Tell on stderr at the end what became machine code, and how often it was left."`
	Stats     bool   `help:"Tell on stderr at the end what the run took."`
	Trace     string `help:"Write every transition of the scheduler to this file, for selvage spec check." placeholder:"FILE"`

	Schedule string `help:"Run the program in virtual time under this schedule, which selvage explore has printed." placeholder:"TEXT"`

	reportFlags
	inspectFlags
	recorderFlags
	timelineFlags
	metricsFlags
	logFlags
	profileFlags
	goFlags
	boundsFlags
	accessFlags
	quotaFlags
}

// Limits that catch a mistyped number; maxWorkers is that of reactor.Config.Workers.
const (
	maxCopies  = 10_000
	maxWorkers = 1 << 12
)

// words are taken as they are, bytes that are no text included.
type words []string

// Decode takes the arguments from kong.
func (w *words) Decode(ctx *kong.DecodeContext) error {
	for _, token := range ctx.Scan.PopWhile(kong.Token.IsValue) {
		*w = append(*w, token.Value.(string))
	}
	return nil
}

// Validate refuses what means nothing, before anything runs.
func (r *runCmd) Validate() error {
	if len(r.Program) > 0 && r.Program[0] == "--" {
		r.Program = r.Program[1:]
	}
	if _, err := limits(); err != nil {
		return err
	}
	switch {
	case len(r.Program) == 0 || r.Program[0] == "":
		return errors.New("no program; give a Lua file, a WebAssembly or a Go one: selvage run FILE.lua")
	case r.Budget < 1:
		return refuse("budget", r.Budget, "at least 1 instruction", "BUDGET")
	case r.MaxFibers < 1:
		return refuse("max-fibers", r.MaxFibers, "at least 1, for the main program", "MAX_FIBERS")
	case r.Workers < 1 || r.Workers > maxWorkers:
		want := fmt.Sprintf("1 to %d; a program needs one to run on, and each of its --copies uses one at most", maxWorkers)
		return refuse("workers", r.Workers, want, "WORKERS")
	case r.Copies < 1 || r.Copies > maxCopies:
		return fmt.Errorf("--copies %d: want 1 to %d", r.Copies, maxCopies)
	case r.IOWorkers < 1:
		return refuse("io-workers", r.IOWorkers, "at least 1, a worker for files", "IO_WORKERS")
	case r.Copies > 1 && r.Trace != "":
		return errors.New("--trace: there is one trace for one program; leave --copies out")
	case (r.JIT == "eager" || r.JITStats) && r.language() != ".go":
		return errors.New("--jit=eager, --jit-stats: only Go programs become machine code here; leave them out")
	}
	if err := r.reportFlags.check(r.Copies, r.Schedule); err != nil {
		return err
	}
	if err := r.inspectFlags.check(r.Copies, r.Schedule); err != nil {
		return err
	}
	if err := r.recorderFlags.check(r.Copies); err != nil {
		return err
	}
	if err := r.timelineFlags.check(r.Copies, r.Schedule); err != nil {
		return err
	}
	if err := r.metricsFlags.check(r.Copies, r.Schedule); err != nil {
		return err
	}
	if err := r.logFlags.check(r.Schedule); err != nil {
		return err
	}
	if err := r.profileFlags.check(r); err != nil {
		return err
	}
	if err := r.goFlags.check(r.Schedule); err != nil {
		return err
	}
	if err := r.boundsFlags.checkRun(r.Schedule); err != nil {
		return err
	}
	if err := r.checkStarlark(); err != nil {
		return err
	}
	return r.accessFlags.check(r.language())
}

// refuse says what a flag may be. The value may not be typed: it can come from the environment.
func refuse(flag string, n int, want, variable string) error {
	variable = "SELVAGE_" + variable
	from := ""
	if value, set := os.LookupEnv(variable); set {
		from = fmt.Sprintf(" (%s is %q)", variable, value)
	}
	return fmt.Errorf("--%s %d: want %s%s", flag, n, want, from)
}

// language is what the program's name says it is written in.
func (r *runCmd) language() string { return filepath.Ext(r.Program[0]) }

// Run runs the program and explains how it ended.
func (r *runCmd) Run(ctx context.Context, io streams) error {
	allowed, err := r.accessFlags.access()
	if err != nil {
		return err
	}
	if r.Schedule != "" {
		return r.again(ctx, io)
	}
	s := &session{runCmd: r, ctx: ctx, io: io, allowed: allowed, number: 1}
	s.log = s.newLog()
	guest, err := s.guest()
	if err != nil {
		return err
	}
	return r.measured(io.err, func() error {
		if r.Copies > 1 {
			return s.runCopies(guest)
		}
		return s.served(guest)
	})
}

// served runs one copy, with what shows it while it runs and what is kept of it.
func (s *session) served(guest func(*session) error) error {
	if err := s.metrics.listen(s.Metrics); err != nil {
		return err
	}
	defer s.metrics.close()
	if err := s.inspector.listen(s.Inspect); err != nil {
		return err
	}
	defer s.inspector.close()
	return s.traced(func() error {
		return s.drawn(func() error { return s.profiled(func() error { return guest(s) }) })
	})
}

// guest runs the program in the language its name says.
func (s *session) guest() (run func(*session) error, err error) {
	switch ext := s.language(); ext {
	case ".lua", "":
		return (*session).lua, nil
	case ".wasm":
		return (*session).wasm, nil
	case ".go":
		return (*session).minigo, nil
	case starlarkFile:
		return (*session).starlark, nil
	default:
		return nil, fmt.Errorf("%s: cannot run %q files; give a Lua program (.lua), a WebAssembly one (.wasm), a Go one (.go) or a Starlark one (.star)", s.Program[0], ext)
	}
}

// session is one run of a program, whatever it is written in.
type session struct {
	*runCmd
	ctx        context.Context
	io         streams
	allowed    sandbox.Access // by the flags
	failures   int            // of fibers that were not joined
	traceTo    *os.File
	trace      *trace.Writer      // nil without --trace
	reportTo   *os.File           // nil without --report-file
	recorder   *recorder.Recorder // nil if nothing wants the recent events
	timeline   *timeline.Writer   // nil without --timeline
	drawnSince time.Time          // with it
	metrics    metricsServer
	log        *runLog          // nil without --log
	number     int              // of the copy, from 1
	runner     *copyRunner      // nil if there is one copy
	profile    *profile.Profile // nil without --cpuprofile
	inspector  inspector
	islands    islandsOf                            // nil: the language has none
	function   func(fiber.RegularID) string         // that a fiber of the guest is in; nil before there is a host
	steps      func(fiber.RegularID) (uint64, bool) // that a fiber has executed; nil as well
}

// limits are the settings that have a variable of the environment and no flag.
func limits() (cfg reactor.Config, err error) {
	return cfg.FromEnv(func(name string) (string, bool) {
		switch name {
		case "SELVAGE_BUDGET", "SELVAGE_MAX_FIBERS", "SELVAGE_WORKERS", "SELVAGE_IO_WORKERS":
			return "", false // each has a flag, which reads it
		}
		return os.LookupEnv(name)
	})
}

func (s *session) runtime() (cfg stackful.Config) {
	env, _ := limits() // Validate has looked at them
	cfg.Config = env.Config
	cfg.Budget = s.Budget
	cfg.MaxFibers = s.MaxFibers
	cfg.Seed = s.Seed
	cfg.Linger = s.Leaks
	cfg.GoTools = s.goFlags.looked()
	if !s.Virtual {
		cfg.Clock = s.clock()
	}
	cfg.Unobserved = func(f *scheduler.UnobservedError) {
		s.failures++
		s.tellOrLog(func(io streams) {
			fmt.Fprintf(io.err, "%s: %v\n", s.name(), f)
			printTraceback(io, f)
		})
	}
	s.configureLog(&cfg.Config)
	s.record(&cfg.Config)
	if s.traceTo != nil {
		s.trace = trace.New(s.traceTo, &cfg.Config)
	}
	return cfg
}

func (s *session) clock() scheduler.Clock {
	if s.runner != nil {
		return s.runner
	}
	return wallclock.New()
}

// run runs the program on the fibers, and reports what is left to report.
func (s *session) run(on *scheduler.Core, program func() (exit status, err error)) error {
	if s.runner != nil {
		on.Ops().AddDevice(s.runner)
	}
	if err := s.openReport(); err != nil {
		return err
	}
	if s.recorder != nil {
		s.recorder.Attach(on)
	}
	if err := s.metrics.serve(s, on); err != nil {
		return err
	}
	if err := s.serveInspector(on); err != nil {
		return err
	}
	start := time.Now()
	stop := s.reportOnDemand(on)
	exit, err := program()
	stop()
	if s.Stats {
		s.printStats(on, time.Since(start))
	}
	if err == nil && exit == statusDone && s.failures > 0 {
		exit = statusGuest
	}
	var shown error
	s.tell(func(io streams) { shown = s.report(on, io, exit, err) })
	s.holdInspector()
	return shown
}

// explain prints why there is no run, and turns it into an exit status.
func (s *session) explain(err error) (exit error) {
	s.tellOrLog(func(io streams) { exit = s.explainTo(io, err) })
	s.logNoRun(err)
	return exit
}

func (s *session) explainTo(io streams, err error) error {
	var path *fs.PathError
	var module *wasm.ModuleError
	_, stuck := stuckError(err)
	var script *starlark.GuestError // a file that it loads
	switch {
	case err == nil:
		return nil
	case endsGo(err):
		fmt.Fprint(io.err, err)
		if stuck != nil {
			s.tellEvents(io.err)
		}
		return status(statusPanic)
	case stuck != nil:
		fmt.Fprintf(io.err, "%s: %v", s.name(), stuck)
		s.tellEvents(io.err)
		return status(statusDeadlock)
	case s.ctx.Err() != nil:
		fmt.Fprintf(io.err, "%s: interrupted\n", s.name())
		return status(statusInterrupted)
	case errors.As(err, &path) && !errors.As(err, &module) && !errors.As(err, &script):
		return fmt.Errorf("cannot read the program: %w", err)
	}
	fmt.Fprintf(io.err, "%s: %v\n", s.name(), err)
	printTraceback(io, err)
	return status(statusGuest)
}

// stuckError is the report of fibers that never run again, after the word for it; nil if the error is none.
func stuckError(err error) (verdict string, stuck error) {
	var deadlock *scheduler.DeadlockError
	var islands *island.DeadlockError
	var leak *scheduler.LeakError
	switch {
	case errors.As(err, &leak):
		return "leak", leak
	case errors.As(err, &deadlock):
		return "deadlock", deadlock
	case errors.As(err, &islands):
		return "deadlock", islands
	}
	return "", nil
}

// name is who speaks.
func (s *session) name() string {
	if s.Copies > 1 {
		return fmt.Sprintf("selvage: copy %d", s.number)
	}
	return "selvage"
}

// tell writes to stderr in one piece: several copies may.
func (s *session) tell(what func(streams)) {
	var text bytes.Buffer
	what(streams{out: s.io.out, err: &text})
	_, _ = s.io.err.Write(text.Bytes())
}

func (s *session) printStats(on *scheduler.Core, took time.Duration) {
	head := ""
	if s.Copies > 1 {
		head = fmt.Sprintf("copy %d:\n", s.number)
	}
	fmt.Fprint(s.io.err, head+stats(on, took))
}

func stats(s *scheduler.Core, took time.Duration) string {
	c := s.Inspect().Counts()
	return fmt.Sprintf("fibers: %d spawned, %d ended, %d killed\ntransitions: %d\nscheduler time: %v\nwall time: %v\n",
		c.Spawned, c.Ended, c.Killed, s.Inspect().Transitions(), s.Now(), took.Round(time.Microsecond))
}
