package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path"
	"slices"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// score counts what became of some mutants.
type score struct{ found, hung, justified, lives, due, same int }

func (s *score) count(outcome string, justified bool) {
	switch {
	case outcome == trial.Found.String():
		s.found++
	case outcome == trial.Hung.String():
		s.hung++
	case outcome == trial.Lives.String() && justified:
		s.justified++
	case outcome == trial.Lives.String():
		s.lives++
	case outcome == due:
		s.due++
	case outcome == trial.Same.String():
		s.same++
	}
}

// mistakes are those that there is something to notice of; one that is still to be
// tried alone counts as one that no test notices.
func (s score) mistakes() int { return s.found + s.hung + s.lives + s.due }

// percent is how many of those that are mistakes were noticed; 100 where there are none.
func (s score) percent() float64 {
	if s.mistakes() == 0 {
		return 100
	}
	return 100 * float64(s.found+s.hung) / float64(s.mistakes())
}

// between is what the percentage of all mutants may be, if these are a fair draw of them:
// Wilson's interval for a confidence of 95 %.
func (s score) between() (low, high float64) {
	if s.mistakes() == 0 {
		return 0, 100
	}
	const z = 1.959964
	n, p := float64(s.mistakes()), s.percent()/100
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * (middle - half) / (1 + z*z/n), 100 * (middle + half) / (1 + z*z/n)
}

func (s score) String() string {
	low, high := s.between()
	return fmt.Sprintf("%5.1f %% (%.1f to %.1f)  found %4d  hung %3d  justified %3d  alive %3d  due %3d  same %3d",
		s.percent(), low, high, s.found, s.hung, s.justified, s.lives, s.due, s.same)
}

// report gives the score of each package over the mutants that were tried, and names those
// that live.
func report(out io.Writer, all []*mutant, sums map[string]string, l *ledger, reasons map[key]string) score {
	var total score
	packages := map[string]*score{}
	var alive []*mutant
	for _, m := range all {
		if !l.has(m, sums[m.File]) && !l.sifted(m, sums[m.File]) {
			continue
		}
		dir, outcome := path.Dir(m.File), l.done[m.key].Outcome
		s := packages[dir]
		if s == nil {
			s = new(score)
			packages[dir] = s
		}
		reason := reasons[m.key]
		s.count(outcome, reason != "")
		total.count(outcome, reason != "")
		if outcome == trial.Lives.String() {
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
