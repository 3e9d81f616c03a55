package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

type runCmd struct {
	// The file and its arguments are one list, so that no flag is looked for behind
	// the file: what stands there is the program's.
	Program words `arg:"" name:"FILE.lua" passthrough:"partial" help:"The program and its arguments."`

	Virtual   bool   `help:"Virtual time: it stands still while any fiber can run and then jumps, so that sleeps take no time and every run is the same."`
	Slice     int    `default:"10000" help:"VM instructions a fiber runs before the others get their turn (${default})." placeholder:"N"`
	MaxFibers int    `default:"1000000" help:"How many fibers may be alive at once, the main program included (${default})." placeholder:"N"`
	Seed      uint64 `default:"1" help:"Seed of the choices of fiber.select (${default})." placeholder:"N"`
	Stats     bool   `help:"Tell on stderr at the end what the run took."`
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
		return errors.New("no program; give a Lua file: selvage run FILE.lua")
	case r.Slice < 1:
		return fmt.Errorf("--slice %d: want at least 1 instruction", r.Slice)
	case r.MaxFibers < 1:
		return fmt.Errorf("--max-fibers %d: want at least 1, for the main program", r.MaxFibers)
	}
	return nil
}

// Run runs the program and explains how it ended.
func (r *runCmd) Run(ctx context.Context, io streams) error {
	file, args := r.Program[0], r.Program[1:]
	if ext := filepath.Ext(file); ext != ".lua" && ext != "" {
		return fmt.Errorf("%s: cannot run %q files; give a Lua program (.lua)", file, ext)
	}
	failures := 0
	cfg := r.runtime()
	cfg.Unobserved = func(f *scheduler.UnobservedError) {
		failures++
		fmt.Fprintf(io.err, "selvage: %v\n", f)
		printTraceback(io, f)
	}
	host := fibers.New(fibers.Config{
		Runtime: cfg,
		Lua:     lua.Config{Stdout: io.out, Stderr: io.err},
	})
	defer host.Close()
	start := time.Now()
	stop := reportOnDemand(host, io.err)
	_, err := host.RunFile(ctx, file, args...)
	stop()
	if r.Stats {
		printStats(io, host, time.Since(start))
	}
	if err == nil && failures > 0 {
		return status(statusGuest)
	}
	return explain(ctx, err, io)
}

func (r *runCmd) runtime() (cfg stackful.Config) {
	cfg.Budget = r.Slice
	cfg.MaxFibers = r.MaxFibers
	cfg.Seed = r.Seed
	if !r.Virtual {
		cfg.Clock = reactor.NewWallClock()
	}
	return cfg
}

// explain prints a failed run's reason and turns it into an exit status.
func explain(ctx context.Context, err error, io streams) error {
	var deadlock *scheduler.DeadlockError
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &deadlock):
		fmt.Fprintf(io.err, "selvage: %v", deadlock)
		return status(statusDeadlock)
	case ctx.Err() != nil:
		fmt.Fprintln(io.err, "selvage: interrupted")
		return status(statusInterrupted)
	case errors.As(err, &path):
		return fmt.Errorf("cannot read the program: %w", err)
	}
	fmt.Fprintf(io.err, "selvage: %v\n", err)
	printTraceback(io, err)
	return status(statusGuest)
}

// printTraceback prints where the failure was: the Lua traceback, or the Go stack of a
// panic in a host function.
func printTraceback(io streams, err error) {
	var guest *fibers.GuestError
	var panicked *stackful.PanicError
	switch {
	case errors.As(err, &guest) && guest.Traceback != "":
		fmt.Fprintln(io.err, guest.Traceback)
	case errors.As(err, &panicked):
		fmt.Fprintf(io.err, "%s\n", panicked.Stack)
	}
}

func printStats(io streams, host *fibers.Host, took time.Duration) {
	s := host.Runtime().Scheduler()
	c := s.Counts()
	fmt.Fprintf(io.err, "fibers: %d spawned, %d ended, %d killed\ntransitions: %d\nscheduler time: %v\nwall time: %v\n",
		c.Spawned, c.Ended, c.Killed, s.Transitions(), s.Now(), took.Round(time.Microsecond))
}
