package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/selvage-dev/selvage/spec"
)

// limit is far above every graph that is compared; it only ends a mistaken run.
const limit = 50_000_000

func main() {
	var c spec.Config
	flag.IntVar(&c.Fibers, "f", 2, "regular slots")
	flag.IntVar(&c.Trampolines, "t", 1, "trampoline slots")
	flag.IntVar(&c.Tokens, "k", 1, "I/O tokens")
	flag.IntVar(&c.Tickets, "w", 1, "tickets of one slot in circulation")
	flag.Parse()
	ok, err := run(c, os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ltscmp:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run compares and reports; ok is true if the graphs are equal.
func run(c spec.Config, in io.Reader, out io.Writer) (ok bool, err error) {
	g, err := c.Explore(limit, nil)
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
