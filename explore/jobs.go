package explore

import "sync"

// sharing is a Strategy that independent workers can divide among themselves: share i of n, from 0, has every
// n-th run of it. nil is none.
type sharing interface{ share(i, n int) Strategy }

func (s *random) share(i, n int) Strategy { return &turns{Random(s.seed), n, i} }
func (s *pct) share(i, n int) Strategy    { return &turns{PCT(s.seed, s.depth), n, i} }

// share gives all of the depth-first part to the first worker: it has no disjoint parts of equal size.
func (s *mixed) share(i, n int) Strategy {
	m := &mixed{}
	for _, part := range s.parts {
		if of, shares := part.(sharing); shares {
			m.parts = append(m.parts, of.share(i, n))
		} else if i == 0 {
			m.parts = append(m.parts, part)
		}
	}
	return m
}

// turns has every n-th run of a strategy whose Begin is cheap and whose runs do not depend on each other.
type turns struct {
	Strategy
	n    int // workers
	skip int // runs of others before the next one
}

func (t *turns) Begin() bool {
	for range t.skip {
		t.Strategy.Begin()
	}
	t.skip = t.n - 1
	return t.Strategy.Begin()
}

// tally is what the workers of a search have in common.
type tally struct {
	mu      sync.Mutex
	runs    int
	endings map[uint64]bool // hashes of those that the runs had, if Progress is set
	last    int             // the run after which none needs to begin: Options.Runs, or the first breakage
}

// breakage is what ends a search: a run that breaks the program, or an error.
type breakage struct {
	number  int // of the run
	answers []int
	ending  Ending
	err     error
	search  *search // that has made the run
}

// shares are the searches of the workers: one for a strategy that cannot be divided.
func (s *search) shares() (all []*search) {
	of, shares := s.o.Strategy.(sharing)
	if s.o.Jobs <= 1 || !shares {
		return []*search{s}
	}
	for i := range s.o.Jobs {
		part := *s
		part.number, part.step, part.o.Strategy = i+1, s.o.Jobs, of.share(i, s.o.Jobs)
		all = append(all, &part)
	}
	return all
}

// parallel runs all shares, and returns the breakage with the lowest number. So the result does not depend on how
// fast the workers are. It has joined their goroutines when it returns. One share stays on the goroutine of the
// caller, whose test may end there.
func parallel(shares []*search) (first *breakage) {
	if len(shares) == 1 {
		return shares[0].hunt()
	}
	found := make([]*breakage, len(shares))
	var workers sync.WaitGroup
	for i, s := range shares {
		workers.Go(func() { found[i] = s.hunt() })
	}
	workers.Wait()
	for _, e := range found {
		if e != nil && (first == nil || e.number < first.number) {
			first = e
		}
	}
	return first
}

// begins reports whether a run is to begin.
func (t *tally) begins(number int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return number <= t.last
}

// ended makes a breakage the last one that is looked for, unless there is an earlier one.
func (t *tally) ended(number int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = min(t.last, number)
}
