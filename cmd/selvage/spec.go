package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/selvage-dev/selvage/spec/replay"
)

type specCmd struct {
	Check specCheckCmd `cmd:"" help:"Tell whether the run that a trace is of follows the specification."`
}

type specCheckCmd struct {
	File string `arg:"" name:"FILE" help:"The trace, as selvage run --trace writes it."`
}

// Run checks the trace. What is wrong with it is the command's output, not its failure.
func (c *specCheckCmd) Run(io streams) error {
	trace, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("cannot read the trace: %w", err)
	}
	defer func() { _ = trace.Close() }() // nothing was written
	return judge(c.File, trace, io)
}

func judge(name string, trace io.Reader, io streams) error {
	report, err := replay.Check(trace)
	var path *os.PathError
	switch {
	case err == nil:
		fmt.Fprintf(io.out, "%s: %d transitions, follows the specification\n", name, report.Transitions)
		return nil
	case errors.As(err, &path):
		return fmt.Errorf("cannot read the trace: %w", err)
	}
	var uncovered *replay.Uncovered
	fmt.Fprintf(io.out, "%s: %v\n", name, err)
	switch {
	case errors.As(err, &uncovered), errors.Is(err, replay.ErrTruncated):
		fmt.Fprintf(io.out, "the %d transitions before follow the specification; about the rest nothing is known\n", report.Transitions)
	default:
		fmt.Fprintf(io.out, "the %d transitions before follow the specification\n", report.Transitions)
	}
	return status(statusGuest)
}
