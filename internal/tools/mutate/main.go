package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// options are the command line.
type options struct {
	sample  int
	all     bool
	seed    uint64
	results string
	only    string
	again   bool
	sieve   bool
	list    bool
	report  bool
	least   float64
	limit   time.Duration
	memory  int
	parts   []string
}

const help = `mutate makes small mistakes in the source, one at a time, and asks the tests whether
they notice.

usage: mutate [flags] [package …]

Packages are folders: %s; all of them if none is named.
A run that was stopped goes on where it was, because results are kept in a file.
Exit code: 0 if the score is high enough, 1 if it is not or an entry of
%s is stale, 2 if nothing could be tried.

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, words []string, out, errs io.Writer) int {
	o, err := parse(words, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	enough, err := mutate(ctx, o, out)
	switch {
	case err != nil:
		fmt.Fprintln(errs, err)
		return 2
	case !enough:
		return 1
	}
	return 0
}

func parse(words []string, errs io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.SetOutput(errs)
	f.Usage = func() {
		fmt.Fprintf(errs, help, strings.Join(judged(), ", "), equivalentsFile)
		f.PrintDefaults()
	}
	f.IntVar(&o.sample, "sample", 100, "how many mutants to try, drawn from all of them")
	f.BoolVar(&o.all, "all", false, "try every mutant; that takes hours, and days without -sieve")
	f.Uint64Var(&o.seed, "seed", 1, "of the draw: the same seed draws the same mutants")
	f.StringVar(&o.results, "results", filepath.Join(os.TempDir(), "selvage-mutants.ndjson"), "the file of results, a line of JSON for each mutant")
	f.StringVar(&o.only, "only", "", "only mutants whose name (file, function, texts) contains this")
	f.BoolVar(&o.again, "again", false, "try again those of the draw that were alive")
	f.BoolVar(&o.sieve, "sieve", false, "try them in one build of all first, which takes minutes to make and a second for each; for more than fifty")
	f.BoolVar(&o.list, "list", false, "list the mutants of the draw and try none")
	f.BoolVar(&o.report, "report", false, "tell what is in the file of results and try none")
	f.Float64Var(&o.least, "least", 95, "the score that is enough, in percent")
	f.DurationVar(&o.limit, "limit", 20*time.Second, "how long tests may take, at least, before a mutant counts as hung; five times what they take without one if that is more")
	f.IntVar(&o.memory, "memory", 6000, "how many megabytes they may take; 0 is no limit")
	if err := f.Parse(words); err != nil {
		return nil, err
	}
	o.parts = f.Args()
	if len(o.parts) == 0 {
		o.parts = judged()
	}
	for i, dir := range o.parts {
		o.parts[i] = strings.TrimSuffix(strings.TrimPrefix(dir, "./"), "/")
		if suites()[o.parts[i]] == nil {
			err := fmt.Errorf("mutate: no suites for %q; packages: %s", dir, strings.Join(judged(), ", "))
			fmt.Fprintln(errs, err)
			return nil, err
		}
	}
	return o, nil
}

// mutate is the whole run, and reports whether the score is high enough.
func mutate(ctx context.Context, o *options, out io.Writer) (enough bool, err error) {
	root, err := trial.Root()
	if err != nil {
		return false, err
	}
	h, err := newHunt(root, o, out)
	if err != nil {
		return false, err
	}
	if o.list {
		for _, m := range h.drawn {
			fmt.Fprintf(out, "\n# %s:%d\n%s", m.File, m.line, m.entry())
		}
		return true, nil
	}
	if !o.report {
		if err := h.run(ctx); err != nil {
			return false, err
		}
	}
	total := report(out, h.drawnOrAll(), h.sums, h.ledger, h.reasons)
	for _, k := range h.stale {
		fmt.Fprintf(out, "\nstale, no mutant fits it: %v\n", k)
	}
	return total.percent() >= o.least && len(h.stale) == 0, nil
}
