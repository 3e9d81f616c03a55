package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/selvage-dev/selvage/wallclock"
)

const usage = `treevm runs a program of a small Lisp, whose functions run on fibers.

usage: go run ./examples/treevm FILE [ARGUMENT ...]

The program has the arguments as the list args. The exit status is 1 if the main fiber fails, or
if all fibers are blocked. Programs to try: examples/treevm/programs
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// command runs the program that the arguments name.
func command(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("treevm", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		_, err = io.WriteString(out, usage)
		return err
	case err != nil:
		return err
	case flags.NArg() == 0:
		return fmt.Errorf("treevm: no program\n\n%s", usage)
	}
	file := flags.Arg(0)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return run(ctx, wallclock.New(), file, string(text), flags.Args()[1:], out)
}
