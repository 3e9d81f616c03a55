package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trace"
)

type runCmd struct {
	// The file and its arguments are one list, so that no flag is looked for behind
	// the file: what stands there is the program's.
	Program words `arg:"" name:"FILE" passthrough:"partial" help:"The program, FILE.lua or FILE.wasm, and its arguments."`

	Virtual   bool     `help:"Virtual time: it stands still while any fiber can run and then jumps, so that sleeps take no time and every run is the same."`
	Slice     int      `default:"10000" help:"Instructions a fiber runs before the others get their turn (${default})." placeholder:"N"`
	MaxFibers int      `default:"1000000" help:"How many fibers may be alive at once, the main program included (${default})." placeholder:"N"`
	Seed      uint64   `default:"1" help:"Seed of the choices of fiber.select (${default})." placeholder:"N"`
	Dir       []string `help:"A directory that a WebAssembly program may use, as HOST or HOST:GUEST; may be given again." placeholder:"DIR" sep:"none"`
	Stats     bool     `help:"Tell on stderr at the end what the run took."`
	Trace     string   `help:"Write every transition of the scheduler to this file, for selvage spec check." placeholder:"FILE"`
}

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
	switch {
	case len(r.Program) == 0 || r.Program[0] == "":
		return errors.New("no program; give a Lua file or a WebAssembly one: selvage run FILE.lua")
	case r.Slice < 1:
		return fmt.Errorf("--slice %d: want at least 1 instruction", r.Slice)
	case r.MaxFibers < 1:
		return fmt.Errorf("--max-fibers %d: want at least 1, for the main program", r.MaxFibers)
	case len(r.Dir) > 0 && r.language() != ".wasm":
		return errors.New("--dir: Lua programs see all files; it is for WebAssembly programs")
	}
	return nil
}

// language is what the program's name says it is written in.
func (r *runCmd) language() string { return filepath.Ext(r.Program[0]) }

// Run runs the program and explains how it ended.
func (r *runCmd) Run(ctx context.Context, io streams) error {
	s := &session{runCmd: r, ctx: ctx, io: io}
	guest, err := s.guest()
	if err != nil {
		return err
	}
	return s.traced(guest)
}

// guest runs the program in the language its name says.
func (s *session) guest() (run func() error, err error) {
	switch ext := s.language(); ext {
	case ".lua", "":
		return s.lua, nil
	case ".wasm":
		return s.wasm, nil
	default:
		return nil, fmt.Errorf("%s: cannot run %q files; give a Lua program (.lua) or a WebAssembly one (.wasm)", s.Program[0], ext)
	}
}

// session is one run of a program, whatever it is written in.
type session struct {
	*runCmd
	ctx      context.Context
	io       streams
	failures int // of fibers that nobody joined
	traceTo  *os.File
	trace    *trace.Writer // nil without --trace
}

func (s *session) runtime() (cfg stackful.Config) {
	cfg.Budget = s.Slice
	cfg.MaxFibers = s.MaxFibers
	cfg.Seed = s.Seed
	if !s.Virtual {
		cfg.Clock = reactor.NewWallClock()
	}
	cfg.Unobserved = func(f *scheduler.UnobservedError) {
		s.failures++
		fmt.Fprintf(s.io.err, "selvage: %v\n", f)
		printTraceback(s.io, f)
	}
	if s.traceTo != nil {
		s.trace = trace.New(s.traceTo, &cfg.Config)
	}
	return cfg
}

// run runs the program on the fibers, and tells what there is to tell of it.
func (s *session) run(on *stackful.Runtime, program func() (exit status, err error)) error {
	start := time.Now()
	stop := reportOnDemand(on, s.io.err)
	exit, err := program()
	stop()
	if s.Stats {
		printStats(s.io, on, time.Since(start))
	}
	if err == nil && exit == statusDone && s.failures > 0 {
		exit = statusGuest
	}
	if err == nil && exit != statusDone {
		return exit
	}
	return explain(s.ctx, err, s.io)
}

// explain prints a failed run's reason and turns it into an exit status.
func explain(ctx context.Context, err error, io streams) error {
	var deadlock *scheduler.DeadlockError
	var path *fs.PathError
	var module *wasm.ModuleError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &deadlock):
		fmt.Fprintf(io.err, "selvage: %v", deadlock)
		return status(statusDeadlock)
	case ctx.Err() != nil:
		fmt.Fprintln(io.err, "selvage: interrupted")
		return status(statusInterrupted)
	case errors.As(err, &path) && !errors.As(err, &module):
		return fmt.Errorf("cannot read the program: %w", err)
	}
	fmt.Fprintf(io.err, "selvage: %v\n", err)
	printTraceback(io, err)
	return status(statusGuest)
}

func printStats(io streams, on *stackful.Runtime, took time.Duration) {
	s := on.Scheduler()
	c := s.Counts()
	fmt.Fprintf(io.err, "fibers: %d spawned, %d ended, %d killed\ntransitions: %d\nscheduler time: %v\nwall time: %v\n",
		c.Spawned, c.Ended, c.Killed, s.Transitions(), s.Now(), took.Round(time.Microsecond))
}
