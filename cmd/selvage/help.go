package main

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// printHelp is kong's help under a usage line that has the flags where they must be.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	command := ""
	if node := ctx.Selected(); node != nil {
		command = node.Path()
	}
	fmt.Fprintln(ctx.Stdout, "Usage: "+usage(command))
	options.NoAppSummary = true
	options.Compact = true
	return kong.DefaultHelpPrinter(options, ctx)
}

func usage(command string) string {
	switch command {
	case "run":
		return "selvage run [flags] FILE [args ...]"
	case "top":
		return "selvage top [flags] ADDR"
	case "explore":
		return "selvage explore [flags] FILE [args ...]"
	case "script":
		return "selvage script [flags] FILES ..."
	case "spec":
		return "selvage spec COMMAND [flags] ..."
	case "spec check":
		return "selvage spec check FILE"
	}
	return "selvage COMMAND [flags] ..."
}

// Help is what selvage --help says besides the lists.
func (cli) Help() string {
	return `A program is run to its end, and the exit status tells how it ended:

    0    it is done
    1    it failed (the error and its traceback are on stderr), or a
         script's output differs, or a trace does not follow the specification
    2    the command line is wrong, or a file cannot be read
    3    deadlock: every fiber is blocked and nothing can wake one (stderr
         says which, where and on what)
    4    selvage explore has found a schedule that breaks the program, or
         selvage run --schedule has shown it again
  130    interrupted by SIGINT (Ctrl-C) or SIGTERM

A WebAssembly program that exits gives its own status. A Go program has the status of a
compiled one: 2 after a panic that nobody recovered, and after a deadlock.

Examples:

    selvage run hello.lua
    selvage run --virtual --stats examples/lua/pipeline.lua
    selvage script scheduler/testdata/deadlock-report.txt`
}

// Help is what selvage run --help says besides the lists.
func (runCmd) Help() string {
	return `FILE.lua is a program in Lua 5.1. The fiber library is its global "fiber" and
also require "fiber"; docs/lua.md is the guide to it.

FILE.wasm is a WASI program (preview 1), or a WebAssembly module that exports a function
run. The fiber library is its import module "selvage"; docs/wasm.md is the guide to it.

FILE.go is a program in a subset of Go, of one package main; docs/minigo.md is the guide to
it. Its goroutines are the fibers.

FILE.star is a Starlark program. The fiber library is its module fiber; docs/starlark.md is
the guide to it.

Flags go before FILE: what follows it is the program's own. When the main program returns,
the fibers that are left are killed.

A program is one state, in which one fiber runs at a time. With --copies N it is run N times
at once, each time in a state of its own that shares nothing with the others; --workers says
how many of them run in parallel, the rest take turns with them. In Lua fiber.copy is the
number of the copy, from 1, and fiber.copies how many there are, in Starlark copy and copies; a WebAssembly program has
SELVAGE_COPY and SELVAGE_COPIES in its environment. The exit status is that of the first copy
that did not end well.

The number of fibers (--max-fibers), timers (SELVAGE_MAX_TIMERS), I/O operations under way
(SELVAGE_MAX_TOKENS) and waiting commands of other threads (SELVAGE_MAX_COMMANDS) is limited;
beyond it a program gets an error, or waits. With --copies, SELVAGE_STALL_AFTER is after how long
a copy is preempted (10ms), SELVAGE_IN_FLIGHT how many copies are handed to the workers at once
(two for each worker), and SELVAGE_DRAIN how long the end waits for running copies (10s).
docs/settings.md lists all settings.

A program reaches what you do: files (a WebAssembly program only those of --dir), the network,
other programs, the environment. With --sandbox, or any flag that begins with --allow, it reaches
its input and outputs, the time, random numbers and what those flags allow. A program that passes a
quota (--max-steps, --max-memory, --max-output, --max-time) ends with status 1, and stderr says
which; it cannot catch that. With --copies, each copy has the quotas for itself. SECURITY.md says
what you can rely on.

SIGINT (Ctrl-C) and SIGTERM interrupt the program: its fibers unwind. If that takes longer than
--grace, because a call of Go code goes on, the process ends; a second signal ends it at once.

--inspect 127.0.0.1:8080 shows what the fibers do while the program runs: a page with the list of them, the stack
of each, the graph of what waits for what, and a timeline; and the same as JSON. It changes nothing without
--inspect-control, shows no values of the program without --inspect-values, and --inspect-hold keeps it after the end.
docs/inspect.md is the guide to it.

SIGQUIT (Ctrl-\) has the program tell on stderr what each of its fibers is doing, and
which of them can only wake each other; it goes on. With --metrics :9090 Prometheus can read
the numbers of the scheduler while the program runs; docs/inspect.md lists them.

Exit status: 0 done; 1 the program failed, or a fiber that nobody joined did; 2 usage;
3 deadlock, or a leak with --leaks; 130 interrupted; that of a WASI program that exits is its own, and a Go program
has that of a compiled one: 2 after a panic or a deadlock.

Examples:

    selvage run server.lua 8080
    selvage run --virtual test.lua         sleeps take no time, runs repeat
    selvage run --virtual --budget 7 --seed 2 test.lua
                                           the same test, fibers interleaved
                                           in another way
    selvage run --workers 4 --copies 4 --io-workers 16 index.lua
                                           four states on four processors, with
                                           16 workers each for files
    selvage run --dir . report.wasm in.csv
    selvage run --allow-read data --allow-net api.example.com:443 fetch.lua
                                           with access to nothing else
    selvage run --sandbox --max-steps 1000000 --max-memory 64MiB theirs.lua
    selvage run --trace run.ndjson server.lua
                                           for selvage spec check run.ndjson
    selvage run --timeline t.json server.lua
                                           what each fiber did when, for
                                           ui.perfetto.dev and chrome://tracing
    selvage run --cpuprofile cpu.pb.gz index.lua
                                           for go tool pprof -top cpu.pb.gz
    selvage run --inspect 127.0.0.1:0 --inspect-hold bank.lua
                                           a page of what its fibers do, also
                                           after a deadlock`
}

// Help is what selvage spec --help says besides the lists.
func (specCmd) Help() string {
	return `The scheduler is specified formally (spec/scheduler.pml and its twin in Go), and what a
run did can be held against that:

    selvage run --trace run.ndjson program.lua
    selvage spec check run.ndjson`
}

// Help is what selvage spec check --help says besides the lists.
func (specCheckCmd) Help() string {
	return `Every transition of the trace is done again on the specification. The first that it
does not allow is shown, with the rule it breaks, what was allowed there, and the lines
before it. docs/trace.md has the format of a trace, and what the specification does not
model: a run that goes there is "not covered by the model" from there on.

Exit status: 0 the run follows the specification; 1 it does not, or goes where that has no
model, or the trace is damaged or cut short; 2 usage, or a file that cannot be read.

Examples:

    selvage run --trace run.ndjson examples/lua/pipeline.lua
    selvage spec check run.ndjson`
}

// Help is what selvage script --help says besides the lists.
func (scriptCmd) Help() string {
	return `A script is a list of commands for a scheduler, each with the output it is expected
to give; docs/scripts.md explains them. With --actors it is one for a system of actors,
which docs/actors.md explains; the roles of a program of one's own are not known here.
What differs is shown on stdout.

Exit status: 0 all as expected; 1 some output differs; 2 usage, or a file that cannot
be read.

Examples:

    selvage script scheduler/testdata/*.txt
    selvage script --actors actor/testdata/*.txt
    selvage script --rewrite mine.txt      writes what really comes into mine.txt`
}
