package explore

import (
	"errors"
	"fmt"
	"slices"
)

// minimize looks for a schedule with fewer switches and the same ending. First it runs the schedule
// again, to see that it can be repeated.
func (s *search) minimize(answers []int, ending Ending) (*Finding, error) {
	again, rec, err := s.again(answers)
	if errors.Is(err, errInterrupted) {
		return &Finding{Ending: ending, Schedule: s.schedule(answers)}, nil
	}
	if err != nil {
		return nil, err
	}
	if differs := difference(ending, again, answers, rec.answers); differs != "" {
		return nil, &NondeterministicError{Schedule: s.schedule(answers), What: differs}
	}
	m := &minimizer{search: s, best: answers, ending: ending, left: s.o.MinimizeRuns}
	if err := m.reduce(); err != nil {
		return nil, err
	}
	if err := m.few(); err != nil {
		return nil, err
	}
	shown, err := m.shown()
	return &Finding{Ending: shown, Schedule: s.schedule(m.best)}, err
}

// shown runs the best schedule a last time, for its steps. A search that is interrupted has none.
func (m *minimizer) shown() (Ending, error) {
	rec := &recorder{choose: Replay(scheduleOf(0, m.best)).Choose, shown: true}
	ending, err := m.once(rec)
	if errors.Is(err, errInterrupted) {
		return m.ending, nil
	}
	if err == nil {
		if differs := difference(m.ending, ending, m.best, rec.answers); differs != "" {
			err = &NondeterministicError{Schedule: m.schedule(m.best), What: differs}
		}
	}
	return ending, err
}

// difference says how two runs of one schedule differ.
func difference(a, b Ending, first, second []int) string {
	switch {
	case a.Kind != b.Kind:
		return fmt.Sprintf("one ended as %s, the other as %s", a.Kind, b.Kind)
	case !slices.Equal(first, second):
		return fmt.Sprintf("one made %d decisions, the other %d", len(first), len(second))
	case a.Text != b.Text:
		return fmt.Sprintf("one ended with %q, the other with %q", a.Text, b.Text)
	}
	return ""
}

// minimizer is one minimization.
type minimizer struct {
	*search
	best   []int
	ending Ending
	left   int // runs
}

// try runs a candidate, and keeps it if it ends in the same kind with fewer switches.
func (m *minimizer) try(candidate []int) (better bool, err error) {
	if m.left <= 0 || m.ctx.Err() != nil {
		return false, nil
	}
	m.left--
	ending, rec, err := m.again(candidate)
	if errors.Is(err, errInterrupted) {
		return false, nil
	}
	m.left -= len(rec.answers) / longRun
	if err != nil || ending.Kind != m.ending.Kind || switches(rec.answers) >= switches(m.best) {
		return false, err
	}
	m.best, m.ending = rec.answers, ending
	return true, nil
}

// longRun is how many decisions count as one more run of the minimization.
const longRun = 500

func switches(answers []int) (n int) {
	for _, a := range answers {
		if a != 0 {
			n++
		}
	}
	return n
}

// reduce sets halves, quarters and so on of the switches to the default, as long as that still shows
// the finding.
func (m *minimizer) reduce() error {
	for size := (switches(m.best) + 1) / 2; size > 0; {
		better := false
		for from := 0; from < switches(m.best); {
			ok, err := m.try(without(m.best, from, size))
			if err != nil {
				return err
			}
			if better = better || ok; !ok {
				from += size
			}
		}
		if !better || size > 1 {
			size /= 2
		}
		if m.left <= 0 || m.ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// without sets n switches to the default, from the one with that number on.
func without(answers []int, from, n int) []int {
	out, at := slices.Clone(answers), 0
	for i, a := range answers {
		if a != 0 {
			if at >= from && at < from+n {
				out[i] = 0
			}
			at++
		}
	}
	return out
}

// few runs the schedules with 0, 1, 2 … switches, until one shows the finding or as many switches as in
// the best known one are reached.
func (m *minimizer) few() error {
	for n := 0; n < switches(m.best); n++ {
		found, err := m.extend(nil, n)
		if found || err != nil || m.left <= 0 {
			return err
		}
	}
	return nil
}

// extend runs the schedules that begin with the prefix and have n more switches.
func (m *minimizer) extend(prefix []int, n int) (found bool, err error) {
	if m.left <= 0 || m.ctx.Err() != nil {
		return false, nil
	}
	if n == 0 {
		return m.try(prefix)
	}
	m.left--
	_, rec, err := m.again(prefix)
	if err != nil {
		return false, err
	}
	for at := len(prefix); at < len(rec.options); at++ {
		for option := 1; option < rec.options[at]; option++ {
			next := append(slices.Clone(prefix), make([]int, at-len(prefix))...)
			if found, err := m.extend(append(next, option), n-1); found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}
