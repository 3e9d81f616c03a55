package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/explore"
	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// statusFinding is that of an exploration that has found a schedule which breaks the program.
const statusFinding = 4

type exploreCmd struct {
	Program words `arg:"" name:"FILE" passthrough:"partial" help:"The program, FILE.lua, FILE.wasm or FILE.go, and its arguments."`

	Runs       int           `default:"1000" help:"The most schedules to run (${default})." placeholder:"N"`
	Time       time.Duration `help:"How long to search at most; no limit by default." placeholder:"TIME"`
	Strategy   string        `default:"mixed" enum:"mixed,random,pct,dfs,dpor" help:"How schedules are chosen: random, pct (random priorities that change at --depth-1 places), dfs (all of them, with at most --depth preemptions), dpor (all but for the order of independent steps) or mixed (some of each); ${default}." placeholder:"NAME"`
	Depth      int           `default:"3" help:"The depth of the bugs that pct looks for, and the preemptions of dfs; -1 is no limit for dfs (${default})." placeholder:"N"`
	Seed       uint64        `default:"1" help:"Seed of the random choices (${default})." placeholder:"N"`
	Leaks      bool          `default:"true" negatable:"" help:"Fibers that can never run again when main has ended are a finding (on by default)."`
	SameOutput bool          `help:"An output that differs from that of the first run is a finding."`
	Races      bool          `help:"A data race is a finding: two accesses that nothing orders, whatever the schedule did."`
	Points     string        `default:"sync" enum:"sync,access" help:"Where a fiber can be preempted: sync (where it synchronizes or its time slice ends) or access (also before each access of memory that others may reach); ${default}." placeholder:"WHERE"`
	Jobs       int           `default:"1" help:"How many schedules run at the same time, each on a thread of its own (${default}); the finding is the same each time. dfs and dpor use one." placeholder:"N"`
	JSON       bool          `name:"json" help:"Print each finding as one JSON object on a line."`

	boundsFlags
}

// maxJobs is a limit that catches a mistyped number.
const maxJobs = 1024

// Help is what selvage explore --help says besides the lists.
func (exploreCmd) Help() string {
	return `The program runs again and again in virtual time, each time under another schedule: which
fiber is next, where one is preempted, which case of a select is taken. A schedule that ends in a
deadlock, a leak, an error or without end is a finding. It is reduced to as few switches as possible,
and printed with a text that shows it again:

    selvage run --schedule TEXT FILE

The program must read nothing that differs between runs. docs/explore.md says what is covered.

Exit status: 0 nothing was found; 4 a finding; 1 the program is refused; 2 the command line is wrong;
130 interrupted, after what was found by then.

Examples:

    selvage explore bank.lua
    selvage explore --strategy=dfs --depth=2 --runs=100000 queue.go`
}

// Validate refuses what means nothing.
func (e *exploreCmd) Validate() error {
	switch {
	case len(e.Program) == 0 || e.Program[0] == "":
		return errors.New("no program; give a Lua file, a WebAssembly or a Go one: selvage explore FILE.lua")
	case e.Runs < 1:
		return fmt.Errorf("--runs %d: want at least 1", e.Runs)
	case e.Jobs < 1 || e.Jobs > maxJobs:
		return fmt.Errorf("--jobs %d: want 1 to %d", e.Jobs, maxJobs)
	case e.Depth < explore.Unbounded || e.Depth == 0 && e.Strategy == "pct":
		return fmt.Errorf("--depth %d: want at least 1, or for dfs 0 or more, or -1 for no limit", e.Depth)
	case e.Time < 0:
		return fmt.Errorf("--time %v: want 0 (no limit) or more", e.Time)
	}
	return e.boundsFlags.check()
}

func (e *exploreCmd) strategy() explore.Strategy {
	switch e.Strategy {
	case "random":
		return explore.Random(e.Seed)
	case "pct":
		return explore.PCT(e.Seed, e.Depth)
	case "dpor":
		return explore.DPOR()
	case "dfs":
		return explore.Depth(e.Depth)
	}
	return explore.Mixed(e.Seed)
}

// Run searches until something is found.
func (e *exploreCmd) Run(ctx context.Context, io streams) error {
	guest, err := guestOf(e.Program, e.mode(), e.bounds(), io)
	if err != nil {
		return err
	}
	defer guest.close()
	if e.Time > 0 {
		timed, stop := context.WithTimeout(ctx, e.Time)
		defer stop()
		return e.search(ctx, timed, io, guest)
	}
	return e.search(ctx, ctx, io, guest)
}

// mode is how the program is watched.
func (e *exploreCmd) mode() (m explore.Mode) {
	if e.Races {
		m |= explore.WatchRaces
	}
	if e.Points == "access" {
		m |= explore.WatchAccesses
	}
	if e.Strategy == "dpor" {
		m |= explore.WatchSteps
	}
	return m
}

func (e *exploreCmd) search(interrupt, ctx context.Context, io streams, guest explored) error {
	begun := time.Now()
	said := begun
	o := explore.Options{Progress: func(p explore.Progress) {
		if now := time.Now(); now.Sub(said) >= progressEvery {
			said = now
			fmt.Fprintf(io.err, "selvage: %d of at most %d runs, %s; %s\n", p.Runs, e.Runs, rate(p.Runs, now.Sub(begun)), covered(p))
		}
	}, Strategy: e.strategy(), Runs: e.Runs, Program: guest.hash, Mode: e.mode(), Jobs: e.Jobs, SameOutput: e.SameOutput}
	if !e.Leaks {
		o.Ignore = []explore.Kind{explore.Leak}
	}
	r, err := explore.Search(ctx, guest.run, o)
	if err != nil {
		fmt.Fprintf(io.err, "selvage: %v\n", err)
		return status(statusGuest)
	}
	if r.Finding != nil {
		if err := e.print(io, r.Finding); err != nil {
			return err
		}
		return status(statusFinding)
	}
	if r.Complete != "" {
		fmt.Fprintf(io.err, "selvage: %s were run: %d\n", r.Complete, r.Runs)
	}
	fmt.Fprintf(io.err, "selvage: nothing was found in %d runs, %s\n", r.Runs, rate(r.Runs, time.Since(begun)))
	if interrupt.Err() != nil {
		return status(statusInterrupted)
	}
	return nil
}

// progressEvery is how often a long search says how far it is.
const progressEvery = 5 * time.Second

// covered says what the runs have shown.
func covered(p explore.Progress) string {
	endings := fmt.Sprintf("different endings: %d", p.Endings)
	if p.Covered < 0 {
		return endings
	}
	return fmt.Sprintf("about %.3g%% of the schedules; %s", 100*p.Covered, endings)
}

func rate(runs int, in time.Duration) string {
	return fmt.Sprintf("%.0f a second", float64(runs)/max(in.Seconds(), 1e-9))
}

// again runs one schedule (selvage run --schedule).
func (r *runCmd) again(ctx context.Context, io streams) error {
	schedule, err := explore.ParseSchedule(r.Schedule)
	if err != nil {
		return err
	}
	guest, err := guestOf(r.Program, schedule.Mode(), r.bounds(), io)
	if err != nil {
		return err
	}
	defer guest.close()
	if err := schedule.Fits(guest.hash); err != nil {
		return err
	}
	ending, err := explore.Run(ctx, guest.run, schedule)
	if err != nil {
		return err
	}
	fmt.Fprint(io.out, ending.Output)
	if ending.Kind == explore.Passed {
		return nil
	}
	ending.Output = "" // it is on stdout
	fmt.Fprintf(io.err, "%s; switches: %d\n%s", ending.Kind, schedule.Switches(), report(ending, schedule, r.boundsFlags, r.Program))
	return status(statusFinding)
}

// explored is a compiled program.
type explored struct {
	run   explore.Program
	hash  uint32 // of its text and its arguments
	close func()
}

// guestOf compiles a program, once for all runs.
func guestOf(words []string, mode explore.Mode, bounds explore.Bounds, io streams) (guest explored, err error) {
	path, args := words[0], words[1:]
	source, err := os.ReadFile(path)
	if err != nil {
		return guest, fmt.Errorf("cannot read the program: %w", err)
	}
	switch ext := filepath.Ext(path); {
	case ext == ".lua" || ext == "":
		guest, err = exploreLua(path, source, args, mode, bounds)
	case ext == ".go":
		guest, err = exploreGo(path, source, words, mode, bounds)
	case ext == ".wasm" && mode&(explore.WatchRaces|explore.WatchAccesses) != 0:
		return guest, errUnwatched
	case ext == ".wasm":
		guest, err = exploreWasm(path, source, args, bounds)
	default:
		return guest, fmt.Errorf("%s: cannot explore %q files; give a Lua program (.lua), a WebAssembly one (.wasm) or a Go one (.go)", path, ext)
	}
	if err != nil {
		fmt.Fprintf(io.err, "selvage: %v\n", err)
		return guest, status(statusGuest)
	}
	if guest.close == nil {
		guest.close = func() {}
	}
	guest.hash = explore.Hash(append(source, strings.Join(args, "\x00")...))
	return guest, nil
}

func exploreLua(path string, source []byte, args []string, mode explore.Mode, bounds explore.Bounds) (explored, error) {
	if _, err := luafibers.Compile(bytes.NewReader(source), path); err != nil {
		return explored{}, err
	}
	return explored{run: explore.Guest(bounds, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := luafibers.Config{Access: sandbox.Process()}
		c.Access.Stdin, c.Access.Stdout, c.Access.Stderr = nil, output, output
		c.Access.Start, c.Access.Random = time.Time{}, nil // the same in each run
		c.Runtime.Config = cfg
		c.Races, c.AccessPoints = mode&explore.WatchRaces != 0, mode&explore.WatchAccesses != 0
		host := luafibers.New(c)
		defer host.Close()
		explore.Show(ctx, &host.Runtime().Scheduler().Core)
		_, err := host.Run(ctx, bytes.NewReader(source), path, args...)
		return err
	})}, nil
}

func exploreGo(path string, source []byte, args []string, mode explore.Mode, bounds explore.Bounds) (explored, error) {
	compile := minigo.CompileExplored
	if mode != 0 {
		compile = minigo.CompileWatched
	}
	program, err := compile(minigo.File{Name: path, Text: source})
	if err != nil {
		return explored{}, err
	}
	return explored{run: explore.Guest(bounds, func(ctx context.Context, cfg scheduler.Config, output io.Writer) error {
		c := minigo.Config{Scheduler: cfg, Args: args, JIT: minigo.JITOff, Races: mode&explore.WatchRaces != 0, AccessPoints: mode&explore.WatchAccesses != 0}
		c.Access.Stdout, c.Access.Stderr = output, output
		host, err := minigo.New(program, c)
		if err != nil {
			return err
		}
		explore.Show(ctx, host.Scheduler())
		err = host.Run(ctx)
		var over *explore.BoundsError
		if errors.As(context.Cause(ctx), &over) && over.Returned {
			return host.Stranded(over.Ran)
		}
		return err
	})}, nil
}
