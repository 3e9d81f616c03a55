package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/internal/tools/mutate/schema"
	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// sieve tries mutants in tests that are built once, with all of them woven in. What it
// notices is noticed; what it lets through it knows nothing of.
type sieve struct {
	out   io.Writer
	court trial.Court
	dir   string            // for what it builds; the caller's
	texts map[string][]byte // the woven files
	built map[trial.Tests]string
	mesh  map[trial.Tests]*mesh
}

// mesh is a judge in the sieve.
type mesh struct {
	trial.Tests // without those that object to the weaving
	binary      string
	limit       time.Duration            // for all of them
	each        map[string]time.Duration // what they take without a mutant
	killers     map[string][]string      // the tests that noticed a mutant of each file
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
	s := newSieve(h.out, h.court.Root, dir, texts, h.memory)
	var fit []*mutant
	for _, m := range some {
		if numbers[m] > 0 && !h.ledger.sifted(m, h.sums[m.File]) {
			fit = append(fit, m)
		}
	}
	fmt.Fprintf(h.out, "%d fit into the sieve\n", len(fit))
	err = h.each(fit, func(m *mutant) (result, error) {
		return s.sift(ctx, result{key: m.key, Sum: h.sums[m.File]}, numbers[m], judges()[path.Dir(m.File)])
	})
	for _, m := range some {
		if numbers[m] == 0 || h.ledger.sifted(m, h.sums[m.File]) {
			left = append(left, m)
		}
	}
	return left, err
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
	return &sieve{out: out, court: trial.Court{Root: root, Dir: dir, Memory: memory}, dir: dir, texts: texts,
		built: map[trial.Tests]string{}, mesh: map[trial.Tests]*mesh{}}
}

// sift asks the judges about a mutant until one notices.
func (s *sieve) sift(ctx context.Context, r result, number int, judges []trial.Tests) (result, error) {
	for _, tests := range judges {
		m, err := s.meshOf(ctx, tests)
		if err != nil {
			return r, err
		}
		v, err := s.ask(ctx, m, number, r.File)
		if err != nil {
			return r, err
		}
		r.Seconds += v.Took.Seconds()
		if v.Verdict != trial.Lives {
			r.Verdict, r.Finding, r.By = v.Verdict.String(), v.Finding, "sieve: "+tests.String()
			return r, nil
		}
	}
	r.Verdict = due
	return r, nil
}

// ask runs those tests first that have noticed mutants of the same file before.
func (s *sieve) ask(ctx context.Context, m *mesh, number int, file string) (trial.Result, error) {
	tests, known := m.Tests, m.killers[file]
	var spent time.Duration
	if len(known) > 0 {
		tests.Run = "^(" + strings.Join(known, "|") + ")$"
		r, err := s.run(ctx, m, tests, number)
		if err != nil || r.Verdict != trial.Lives {
			return r, err
		}
		spent, tests = r.Took, m.Tests
		tests.Skip = either(tests.Skip, "^("+strings.Join(known, "|")+")$")
	}
	r, err := s.run(ctx, m, tests, number)
	r.Took += spent
	if err == nil && r.Verdict != trial.Lives && r.Test != "" {
		m.killers[file] = append(known, r.Test)
	}
	return r, err
}

func (s *sieve) run(ctx context.Context, m *mesh, tests trial.Tests, number int) (trial.Result, error) {
	s.court.Limit = m.limit
	return s.court.Watch(ctx, m.binary, tests, m.may, fmt.Sprint(schema.Variable, "=", number))
}

func either(a, b string) string {
	if a == "" {
		return b
	}
	return a + "|" + b
}
