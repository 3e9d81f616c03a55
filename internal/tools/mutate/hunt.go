package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// hunt is one run: which mutants, and what is known of them.
type hunt struct {
	*options
	out      io.Writer
	runner   *trial.Runner
	compiler *trial.Compiler
	sources  map[string]*source
	sums     map[string]string
	mutants  []*mutant // of the packages asked for
	drawn    []*mutant // those to try
	ledger   *ledger
	reasons  map[key]string
	stale    []key
	limits   map[trial.Tests]time.Duration // of those that pass without a mutant
}

func newHunt(root string, o *options, out io.Writer) (*hunt, error) {
	h := &hunt{options: o, out: out, sources: map[string]*source{}, sums: map[string]string{}, limits: map[trial.Tests]time.Duration{},
		runner: &trial.Runner{Root: root, Memory: o.memory}}
	if err := h.collect(root); err != nil {
		return nil, err
	}
	var err error
	if h.ledger, err = readLedger(o.results); err != nil {
		return nil, err
	}
	if o.report {
		return h, nil
	}
	patterns := make([]string, len(o.parts))
	for i, dir := range o.parts {
		patterns[i] = "./" + dir
	}
	if h.compiler, err = trial.NewCompiler(root, patterns...); err != nil {
		return nil, err
	}
	h.draw()
	return h, nil
}

// collect makes the mutants of the packages asked for, and finds the entries of the
// others' list that are stale.
func (h *hunt) collect(root string) error {
	reasons, err := readEquivalents(filepath.Join(root, equivalentsFile))
	if err != nil {
		return err
	}
	h.reasons = reasons
	asked := map[string]bool{}
	for _, dir := range h.parts {
		asked[dir] = true
	}
	var all []*mutant
	for _, dir := range judged() {
		files, err := sourcesOf(root, dir)
		if err != nil {
			return err
		}
		for _, s := range files {
			found, err := mutants(s)
			if err != nil {
				return err
			}
			all = append(all, found...)
			if asked[dir] {
				h.sources[s.name], h.sums[s.name] = s, s.sum()
				h.mutants = append(h.mutants, found...)
			}
		}
	}
	h.stale = stale(reasons, all)
	return nil
}

// draw takes the sample from those that compile.
func (h *hunt) draw() {
	rng := rand.New(rand.NewPCG(h.seed, 0))
	rng.Shuffle(len(h.mutants), func(i, j int) { h.mutants[i], h.mutants[j] = h.mutants[j], h.mutants[i] })
	for _, m := range h.mutants {
		if !h.all && len(h.drawn) == h.sample {
			return
		}
		if strings.Contains(m.String(), h.only) && h.compiles(m) {
			h.drawn = append(h.drawn, m)
		}
	}
}

func (h *hunt) compiles(m *mutant) bool {
	if m.Func == "" {
		return h.compiler.Compiles(h.texts(m)) == nil
	}
	return h.compiler.BodyCompiles(m.File, h.sources[m.File].with(m)) == nil
}

func (h *hunt) texts(m *mutant) map[string][]byte {
	return map[string][]byte{m.File: h.sources[m.File].with(m)}
}

func (h *hunt) drawnOrAll() []*mutant {
	if h.report {
		return h.mutants
	}
	return h.drawn
}

// run tries those that were not tried before: in the sieve first if it is asked for, and
// those that it lets through alone.
func (h *hunt) run(ctx context.Context) error {
	var left []*mutant
	for _, m := range h.drawn {
		if known := h.ledger.has(m, h.sums[m.File]); !known || h.again && h.ledger.done[m.key].Outcome == trial.Lives.String() {
			left = append(left, m)
		}
	}
	fmt.Fprintf(h.out, "%d mutants, %d drawn, %d to be tried\n", len(h.mutants), len(h.drawn), len(left))
	if h.sieve {
		var err error
		if left, err = h.sift(ctx, left); err != nil {
			return err
		}
	}
	return h.each(left, func(m *mutant) (result, error) { return h.try(ctx, m) })
}

// each notes the results of a trial of some mutants, and how long the rest will take.
func (h *hunt) each(some []*mutant, try func(*mutant) (result, error)) error {
	began := time.Now()
	for i, m := range some {
		r, err := try(m)
		if err != nil {
			return err
		}
		if err := h.ledger.add(r); err != nil {
			return err
		}
		spent := time.Since(began)
		left := spent / time.Duration(i+1) * time.Duration(len(some)-i-1)
		fmt.Fprintf(h.out, "%d/%d, %v left: %-5s %v\n", i+1, len(some), left.Round(time.Second), r.Outcome, m.key)
	}
	return nil
}

// try runs the suites on a mutant until one fails.
func (h *hunt) try(ctx context.Context, m *mutant) (result, error) {
	r := result{key: m.key, Sum: h.sums[m.File]}
	sifted := h.ledger.sifted(m, r.Sum)
	if sifted { // likely that there is nothing to notice, and cheap to know
		if same, err := h.same(ctx, m); same || err != nil {
			r.Outcome = trial.Same.String()
			return r, err
		}
	}
	for _, tests := range suites()[path.Dir(m.File)] {
		if err := h.mustPass(ctx, tests); err != nil {
			return r, err
		}
		h.runner.Limit = h.limits[tests]
		v, err := h.runner.Try(ctx, h.texts(m), tests)
		if err != nil {
			return r, err
		}
		r.Outcome, r.Finding = v.Outcome.String(), v.Finding
		r.Seconds += v.Took.Seconds()
		if v.Outcome != trial.Lives {
			r.By = tests.String()
			return r, nil
		}
	}
	if sifted {
		return r, nil
	}
	same, err := h.same(ctx, m)
	if same {
		r.Outcome = trial.Same.String()
	}
	return r, err
}

func (h *hunt) same(ctx context.Context, m *mutant) (bool, error) {
	return h.runner.Same(ctx, h.texts(m), "./"+path.Dir(m.File))
}

// A suite gets several times what it takes to pass the right source, and that may be long
// on a busy machine.
const (
	unhurried = 10 * time.Minute
	times     = 5
)

// mustPass: a suite that fails on the right source cannot judge a wrong one.
func (h *hunt) mustPass(ctx context.Context, tests trial.Tests) error {
	if h.limits[tests] > 0 {
		return nil
	}
	h.runner.Limit = unhurried
	v, err := h.runner.Try(ctx, nil, tests)
	if err == nil && v.Outcome != trial.Lives {
		err = fmt.Errorf("mutate: %v: the right source %v: %s", tests, v.Outcome, v.Finding)
	}
	if err == nil {
		h.limits[tests] = max(h.limit, times*v.Took)
	}
	return err
}
