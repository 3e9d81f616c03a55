package main

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// score counts what became of some mutants.
type score struct{ found, hung, justified, lives int } // not those that are the same program

func (s *score) count(verdict string, justified bool) {
	switch {
	case verdict == trial.Found.String():
		s.found++
	case verdict == trial.Hung.String():
		s.hung++
	case verdict == trial.Lives.String() && justified:
		s.justified++
	case verdict == trial.Lives.String():
		s.lives++
	}
}

// percent is how many of those that are mistakes were noticed; 100 where there are none.
func (s score) percent() float64 {
	noticed := s.found + s.hung
	if noticed+s.lives == 0 {
		return 100
	}
	return 100 * float64(noticed) / float64(noticed+s.lives)
}

func (s score) String() string {
	return fmt.Sprintf("%5.1f %%  found %4d  hung %3d  justified %3d  alive %3d", s.percent(), s.found, s.hung, s.justified, s.lives)
}

// report tells how each package fares, of the mutants that were tried, and names those
// that live.
func report(out io.Writer, all []*mutant, sums map[string]string, l *ledger, reasons map[key]string) score {
	var total score
	packages := map[string]*score{}
	var alive []*mutant
	for _, m := range all {
		if !l.has(m, sums[m.File]) {
			continue
		}
		dir, verdict := path.Dir(m.File), l.done[m.key].Verdict
		s := packages[dir]
		if s == nil {
			s = new(score)
			packages[dir] = s
		}
		reason := reasons[m.key]
		s.count(verdict, reason != "")
		total.count(verdict, reason != "")
		if verdict == trial.Lives.String() {
			alive = append(alive, m)
		}
	}
	for _, dir := range judged() {
		if s := packages[dir]; s != nil {
			fmt.Fprintf(out, "%-11s %v\n", dir, *s)
		}
	}
	fmt.Fprintf(out, "%-11s %v\n", "all", total)
	slices.SortStableFunc(alive, func(a, b *mutant) int { return cmp.Compare(a.File, b.File) })
	for _, m := range alive {
		fmt.Fprintf(out, "\n# %s:%d\n%s= %s\n", m.File, m.line, m.entry(), cmp.Or(reasons[m.key], "NOBODY NOTICES"))
	}
	return total
}
