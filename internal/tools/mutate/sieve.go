package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"time"

	"github.com/selvage-dev/selvage/internal/tools/mutate/schema"
	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// sieve tries mutants in tests that are built once, with all of them woven in. What it
// notices is noticed; what it lets through it knows nothing of.
type sieve struct {
	out    io.Writer
	runner trial.Runner
	dir    string            // for what it builds; the caller's
	texts  map[string][]byte // the woven files
	built  map[trial.Tests]string
	mesh   map[trial.Tests]*mesh
}

// sift is what the sieve lets through of some mutants.
func (h *hunt) sift(ctx context.Context, some []*mutant) (left []*mutant, err error) {
	dir, err := os.MkdirTemp("", "sieve")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	texts, numbers, err := h.weave()
	if err != nil {
		return nil, err
	}
	s := newSieve(h.out, h.runner.Root, dir, texts, h.memory)
	var fit []*mutant
	for _, m := range some {
		if numbers[m] > 0 {
			fit = append(fit, m)
		}
	}
	fmt.Fprintf(h.out, "%d fit into the sieve\n", len(fit))
	for _, few := range []int{1, math.MaxInt} { // of the suites: what the likeliest notice is soon known of all mutants
		err = h.each(fit, func(m *mutant) (result, error) {
			all := suites()[path.Dir(m.File)]
			return s.sift(ctx, h.sofar(m), numbers[m], all[:min(few, len(all))])
		})
		if err != nil {
			return nil, err
		}
		fit = slices.DeleteFunc(fit, func(m *mutant) bool { return !h.ledger.sifted(m, h.sums[m.File]) || h.reasons[m.key] != "" })
	}
	for _, m := range some {
		if numbers[m] == 0 || h.ledger.sifted(m, h.sums[m.File]) {
			left = append(left, m)
		}
	}
	return left, nil
}

// sofar is what the sieve knows of a mutant from a run before.
func (h *hunt) sofar(m *mutant) result {
	if h.ledger.sifted(m, h.sums[m.File]) {
		return h.ledger.done[m.key]
	}
	return result{key: m.key, Sum: h.sums[m.File]}
}

// weave makes the files with all mutants of the draw, so that a run that goes on finds
// them built, and numbers those that could be woven.
func (h *hunt) weave() (texts map[string][]byte, numbers map[*mutant]int, err error) {
	changes, numbers := map[string][]schema.Change{}, map[*mutant]int{}
	for i, m := range h.drawn {
		changes[m.File] = append(changes[m.File], schema.Change{Number: i + 1, Start: m.start, End: m.end, With: m.with})
		numbers[m] = i + 1
	}
	texts = map[string][]byte{}
	for name, some := range changes {
		woven, refused, err := schema.Weave(h.sources[name].text, some)
		if err != nil {
			return nil, nil, err
		}
		texts[name] = woven
		texts[path.Dir(name)+"/selvage_mutant.go"] = schema.Switch(path.Base(path.Dir(name)))
		for _, c := range refused {
			delete(numbers, h.drawn[c.Number-1])
		}
	}
	return texts, numbers, nil
}

func newSieve(out io.Writer, root, dir string, texts map[string][]byte, memory int) *sieve {
	return &sieve{out: out, runner: trial.Runner{Root: root, Dir: dir, Memory: memory}, dir: dir, texts: texts,
		built: map[trial.Tests]string{}, mesh: map[trial.Tests]*mesh{}}
}

// sift runs the suites that a mutant has not passed yet, until one notices.
func (s *sieve) sift(ctx context.Context, r result, number int, suites []trial.Tests) (result, error) {
	for _, tests := range suites[min(r.Passed, len(suites)):] {
		m, err := s.meshOf(ctx, tests)
		if err != nil {
			return r, err
		}
		v, err := s.ask(ctx, m, number, r.File)
		if err != nil {
			return r, err
		}
		r.Seconds += v.Took.Seconds()
		if v.Outcome != trial.Lives {
			r.Outcome, r.Finding, r.By = v.Outcome.String(), v.Finding, "sieve: "+tests.String()
			return r, nil
		}
		r.Passed++
	}
	r.Outcome = due
	return r, nil
}

// ask runs the tests in batches until one notices.
func (s *sieve) ask(ctx context.Context, m *mesh, number int, file string) (r trial.Result, err error) {
	var spent time.Duration
	for _, tests := range m.batches(file) {
		r, err = s.run(ctx, m, tests, number)
		spent += r.Took
		if err != nil || r.Outcome != trial.Lives {
			break
		}
	}
	if known := m.killers[file]; err == nil && r.Outcome != trial.Lives && r.Test != "" && !slices.Contains(known, r.Test) {
		m.killers[file] = append(known, r.Test)
	}
	r.Took = spent
	return r, err
}

func (s *sieve) run(ctx context.Context, m *mesh, tests trial.Tests, number int) (trial.Result, error) {
	s.runner.Limit = m.limit
	return s.runner.Watch(ctx, m.binary, tests, m.may, fmt.Sprint(schema.Variable, "=", number))
}
