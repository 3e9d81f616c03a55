package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// Run runs the text of a program, which has the arguments, and writes what it prints. The error
// names the file.
type Run func(ctx context.Context, clock scheduler.Clock, file, text string, args []string, out io.Writer) error

const usage = `%[1]s runs a program in %[2]s, on fibers.

usage: go run ./examples/%[1]s [--virtual] FILE [ARGUMENT ...]

  --virtual   time jumps over every wait

The exit status is 1 if the main fiber fails, or if all fibers are blocked. Programs to try are in
examples/%[1]s/programs.
`

// Main runs the program that the arguments of the process name, and ends the process. Ctrl-C ends
// the program.
func Main(name, language string, run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := execute(ctx, fmt.Sprintf(usage, name, language), os.Args[1:], os.Stdout, run)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func execute(ctx context.Context, usage string, args []string, out io.Writer, run Run) error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	virtual := flags.Bool("virtual", false, "")
	err := flags.Parse(args)
	switch {
	case err == flag.ErrHelp:
		_, err = io.WriteString(out, usage)
		return err
	case err == nil && flags.NArg() == 0:
		err = errors.New("no program")
	}
	if err != nil {
		return fmt.Errorf("%w\n\n%s", err, usage)
	}
	text, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	var clock scheduler.Clock = wallclock.New()
	if *virtual {
		clock = scheduler.NewVirtualClock()
	}
	err = run(ctx, clock, flags.Arg(0), string(text), flags.Args()[1:], out)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx) // the signal
	}
	return err
}
