package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/spec/channel"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/move"
	"github.com/selvage-dev/selvage/spec/mutex"
	"github.com/selvage-dev/selvage/spec/panics"
)

// limit is far above every graph that is compared; it only ends a mistaken run.
const limit = 50_000_000

func main() {
	ok, err := compareAs(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "ltscmp:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// compareAs runs the comparison of the machine that the first argument names.
func compareAs(args []string) (ok bool, err error) {
	if len(args) == 0 {
		return false, fmt.Errorf("want the name of a machine: scheduler, channel, mutex, move or panic")
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	switch args[0] {
	case "scheduler":
		var c spec.Config
		flags.IntVar(&c.Fibers, "f", 2, "regular slots")
		flags.IntVar(&c.Trampolines, "t", 1, "trampoline slots")
		flags.IntVar(&c.Tokens, "k", 1, "I/O tokens")
		flags.IntVar(&c.Tickets, "w", 1, "tickets of one slot in circulation")
		flags.IntVar(&c.Deadlines, "d", 0, "deadlines that are live at once")
		flags.IntVar(&c.Masks, "m", 0, "masks of one fiber")
		flags.BoolVar(&c.Grace, "g", false, "cancelled fibers have a grace period")
		flags.IntVar(&c.Pins, "p", 0, "native calls that are pinned at once")
		flags.BoolVar(&c.AllNest, "a", false, "every fiber nests")
		flags.IntVar(&c.Lives, "l", 0, "generations of a slot; 0 is no end")
		flags.BoolVar(&c.Moves, "v", false, "fibers move to and from other schedulers")
		flags.BoolVar(&c.Outside, "o", false, "waits end from outside")
		flags.BoolVar(&c.Lends, "e", false, "fibers are lent")
		flags.BoolVar(&c.Fronts, "q", false, "some are spawned at the front")
		flags.BoolVar(&c.Runs, "r", false, "runs end")
		flags.BoolVar(&c.Holds, "h", false, "fibers are held")
		flags.BoolVar(&c.Free, "x", false, "the next fiber is any that is ready")
		seed := flags.Uint64("trail", 0, "write a random walk as a trail instead, from this seed")
		_ = flags.Parse(args[1:]) // it exits
		if *seed > 0 {
			return true, writeTrail(os.Stdout, c, *seed)
		}
		return run(c, os.Stdin, os.Stdout)
	case "channel":
		var c channel.Config
		flags.IntVar(&c.Fibers, "f", 2, "fibers")
		flags.IntVar(&c.Channels, "c", 1, "channels")
		flags.IntVar(&c.Capacity[0], "b0", 0, "capacity of channel 0")
		flags.IntVar(&c.Capacity[1], "b1", 0, "capacity of channel 1")
		flags.BoolVar(&c.Selects, "s", false, "selects of two cases")
		_ = flags.Parse(args[1:]) // it exits
		return run(c, os.Stdin, os.Stdout)
	case "mutex":
		var c mutex.Config
		flags.IntVar(&c.Fibers, "f", 2, "fibers")
		flags.BoolVar(&c.HandOn, "h", false, "the lock of a dead owner is handed on")
		flags.BoolVar(&c.Cond, "c", false, "there is a condition")
		_ = flags.Parse(args[1:]) // it exits
		return run(c, os.Stdin, os.Stdout)
	case "move":
		var c move.Config
		flags.IntVar(&c.Fibers, "f", 2, "fibers")
		flags.IntVar(&c.Slots, "s", 2, "slots of each scheduler")
		_ = flags.Parse(args[1:]) // it exits
		return run(c, os.Stdin, os.Stdout)
	case "panic":
		var c panics.Config
		flags.IntVar(&c.Machines, "m", 1, "machines: the fiber's, its trampoline's")
		flags.IntVar(&c.Frames, "r", 2, "frames that defer")
		flags.IntVar(&c.Calls, "d", 2, "deferred calls of a machine")
		flags.IntVar(&c.Panics, "g", 2, "panics of a machine")
		_ = flags.Parse(args[1:]) // it exits
		return run(c, os.Stdin, os.Stdout)
	}
	return false, fmt.Errorf("no machine is called %q", args[0])
}

// run compares and reports; ok is true if the graphs are equal.
func run[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer](m M, in io.Reader, out io.Writer) (ok bool, err error) {
	g, err := graph.Explore(m, limit, nil)
	if err != nil {
		return false, err
	}
	cmp := newComparison(g)
	lines := bufio.NewScanner(bufio.NewReaderSize(in, 1<<20))
	for lines.Scan() {
		if !cmp.line(lines.Bytes()) {
			fmt.Fprintln(out, lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		return false, err
	}
	cmp.finish()
	for _, d := range cmp.examples {
		fmt.Fprintln(out, d)
	}
	fmt.Fprintf(out, "states=%d edges=%d formal=%d differences=%d\n", len(g.States), g.Edges, cmp.lines, cmp.differences)
	return cmp.differences == 0 && cmp.lines == g.Edges, nil
}
