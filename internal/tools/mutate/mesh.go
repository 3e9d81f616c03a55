package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/selvage-dev/selvage/internal/tools/mutate/schema"
	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// mesh is a suite built for the sieve.
type mesh struct {
	trial.Tests // without those that object to the weaving
	binary      string
	limit       time.Duration            // for all of them
	each        map[string]time.Duration // what they take without a mutant
	killers     map[string][]string      // the tests that noticed a mutant of each file
}

// batches are the tests in the order in which a mutant of the file is soonest noticed:
// those that noticed others of it, those that take no time, and the rest.
func (m *mesh) batches(file string) (all []trial.Tests) {
	const quick = 100 * time.Millisecond
	known := m.killers[file]
	var slow []string
	for _, test := range slices.Sorted(maps.Keys(m.each)) {
		if m.each[test] > quick && !slices.Contains(known, test) {
			slow = append(slow, test)
		}
	}
	only := func(tests []string) {
		if len(tests) > 0 {
			batch := m.Tests
			batch.Run = exactly(tests)
			all = append(all, batch)
		}
	}
	only(known)
	rest := m.Tests
	if besides := slices.Concat(known, slow); len(besides) > 0 {
		rest.Skip = either(rest.Skip, exactly(besides))
	}
	all = append(all, rest)
	only(slow)
	return all
}

func exactly(tests []string) string { return "^(" + strings.Join(tests, "|") + ")$" }

func either(a, b string) string {
	if a == "" {
		return b
	}
	return a + "|" + b
}

// mostLeftOut is how many tests of a suite may object to the weaving; if there are more,
// it is the weaving that is wrong.
const mostLeftOut = 25

// meshOf builds a suite when it is asked for the first time.
func (s *sieve) meshOf(ctx context.Context, tests trial.Tests) (*mesh, error) {
	if m := s.mesh[tests]; m != nil {
		return m, nil
	}
	binary, err := s.build(ctx, trial.Tests{Package: tests.Package, Tags: tests.Tags})
	if err != nil {
		return nil, err
	}
	m := &mesh{Tests: tests, binary: binary, limit: unhurried, killers: map[string][]string{}}
	for _, number := range []int{0, schema.Same} {
		if err := s.leaveOut(ctx, m, number); err != nil {
			return nil, err
		}
	}
	s.mesh[tests] = m
	return m, nil
}

// build builds tests once for all suites that differ only in which of them they run.
func (s *sieve) build(ctx context.Context, tests trial.Tests) (string, error) {
	if binary := s.built[tests]; binary != "" {
		return binary, nil
	}
	dir, err := os.MkdirTemp(s.dir, "suite")
	if err != nil {
		return "", err
	}
	began := time.Now()
	binary, err := s.runner.Build(ctx, dir, s.texts, tests)
	if err == nil {
		s.built[tests] = binary
		fmt.Fprintf(s.out, "sieve: built %s in %v\n", tests.Package, time.Since(began).Round(time.Second))
	}
	return binary, err
}

// leaveOut leaves out the tests that fail with no mutant on: the right source is right, so
// what they object to is how it is woven. It also learns what the others take.
func (s *sieve) leaveOut(ctx context.Context, m *mesh, number int) error {
	for range mostLeftOut {
		r, err := s.run(ctx, m, m.Tests, number)
		switch {
		case err != nil:
			return err
		case r.Outcome == trial.Lives:
			if number == schema.Same {
				m.limit = times * (r.Took + pause)
				m.each = r.Each
				fmt.Fprintf(s.out, "sieve: %d tests of %s take %v\n", len(m.each), m.Package, r.Took)
			}
			return nil
		case r.Test == "":
			return fmt.Errorf("mutate: %v: woven, and without a mutant: %s", m.Tests, r.Finding)
		}
		fmt.Fprintf(s.out, "sieve: %s: without %s, which objects to the weaving: %s\n", m.Package, r.Test, r.Finding)
		m.Skip = either(m.Skip, "^"+r.Test+"$")
	}
	return fmt.Errorf("mutate: %v: %d tests object to the weaving", m.Tests, mostLeftOut)
}

// pause is what a test may take in the sieve besides several times what it takes.
const pause = 3 * time.Second

// may is how long a test may take; any, as long as it is not known what they take.
func (m *mesh) may(test string) time.Duration {
	if m.each == nil {
		return unhurried
	}
	return times*m.each[test] + pause
}
