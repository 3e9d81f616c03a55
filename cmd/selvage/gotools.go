package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"runtime/trace"
)

// goFlags have Go's own tools look at the process, in which they find the fibers.
type goFlags struct {
	GoTrace      string `name:"go-trace" help:"Write an execution trace of the process to this file, for go tool trace: with a task for each fiber, and a region for each time slice." placeholder:"FILE"`
	GoCPUProfile string `name:"go-cpuprofile" help:"Write a CPU profile of the process to this file, for go tool pprof: with the labels fiber, name and function." placeholder:"FILE"`
}

func (f goFlags) looked() bool { return f.GoTrace != "" || f.GoCPUProfile != "" }

func (f goFlags) check(schedule string) error {
	if f.looked() && schedule != "" {
		return errors.New("--go-trace, --go-cpuprofile: a run under a --schedule is not measured; leave --schedule out")
	}
	if f.looked() && f.GoTrace == f.GoCPUProfile {
		return fmt.Errorf("--go-trace, --go-cpuprofile: both name %s; give each a file of its own", f.GoTrace)
	}
	return nil
}

// measured runs the program while Go's tools look.
func (f goFlags) measured(errs io.Writer, run func() error) error {
	return toFile(f.GoTrace, "execution trace", errs, trace.Start, trace.Stop, func() error {
		return toFile(f.GoCPUProfile, "CPU profile", errs, pprof.StartCPUProfile, pprof.StopCPUProfile, run)
	})
}

// toFile runs something between a start, which writes to a file, and a stop; without a name just that.
func toFile(name, what string, errs io.Writer, start func(io.Writer) error, stop func(), run func() error) error {
	if name == "" {
		return run()
	}
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("cannot write the %s: %w", what, err)
	}
	if err := start(file); err != nil {
		return errors.Join(fmt.Errorf("cannot write the %s: %w", what, err), file.Close())
	}
	ran := run()
	stop()
	if err := file.Close(); err != nil {
		fmt.Fprintf(errs, "selvage: cannot write the %s: %v\n", what, err)
		if ran == nil {
			return status(statusUsage)
		}
	}
	return ran
}
