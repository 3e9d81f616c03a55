package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// Exit statuses.
const (
	statusDone        = 0
	statusGuest       = 1
	statusUsage       = 2
	statusDeadlock    = 3
	statusInterrupted = 130
)

type cli struct {
	Grace time.Duration `default:"5s" env:"SELVAGE_GRACE" help:"How long the command may go on after the first SIGINT or SIGTERM (${default}); a second one ends it at once." placeholder:"TIME"`

	Run     runCmd     `cmd:"" help:"Run a program on fibers."`
	Top     topCmd     `cmd:"" help:"Show what the fibers of a running program do."`
	Explore exploreCmd `cmd:"" help:"Find a schedule that breaks a program."`
	Script  scriptCmd  `cmd:"" help:"Drive a scheduler by text and compare what it answers."`
	Spec    specCmd    `cmd:"" help:"Hold what a run did against the formal specification."`
}

// streams are the process's, or a test's.
type streams struct{ out, err io.Writer }

// status is an exit status that a command has explained already.
type status int

func (s status) Error() string { return fmt.Sprintf("status %d", int(s)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the process, however busy it is
	os.Exit(runOrExit(ctx, os.Args[1:], streams{os.Stdout, os.Stderr}, os.Exit))
}

// run is main without the process: it returns the exit status.
func run(ctx context.Context, args []string, io streams) int {
	return runOrExit(ctx, args, io, nil)
}

// runOrExit is run, but if the command has not ended within the grace time after ctx, it calls
// exit with the status. In a test exit is nil.
func runOrExit(ctx context.Context, args []string, io streams, exit func(status int)) int {
	var c cli
	exited, code := false, 0
	parser := kong.Must(&c,
		kong.Name("selvage"),
		kong.Description("Run Lua, WebAssembly, Go and Starlark programs on cheap, deterministic fibers."),
		kong.Help(printHelp),
		kong.WithHyphenPrefixedParameters(true), // so that --budget -1 is a number, and refused as one
		kong.Writers(io.out, io.err),
		kong.Exit(func(status int) { exited, code = true, status }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(io),
	)
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if exited {
		return code // --help has been printed
	}
	if err != nil {
		fmt.Fprintf(io.err, "selvage: %v\n%s\n", err, hint(args[0]))
		return statusUsage
	}
	if c.Grace < 0 {
		return statusOf(fmt.Errorf("--grace %v: want 0 or more", c.Grace), io)
	}
	if exit != nil {
		defer endAfterGrace(ctx, c.Grace, io.err, exit)()
	}
	return statusOf(parsed.Run(), io)
}

// hint suggests a correction for a command line that starts with the word.
func hint(word string) string {
	if ext := filepath.Ext(word); ext == ".lua" || ext == ".wasm" || ext == ".go" || ext == starlarkFile {
		return "Run a program by: selvage run " + word
	}
	return "Try selvage --help, or selvage run --help."
}

func statusOf(err error, io streams) int {
	var explained status
	switch {
	case err == nil:
		return statusDone
	case errors.As(err, &explained):
		return int(explained)
	}
	fmt.Fprintf(io.err, "selvage: %v\n", err)
	return statusUsage
}
