package explore

import "hash/fnv"

// Progress is how far a search is.
type Progress struct {
	// Runs is how many schedules were run.
	Runs int
	// Covered is an estimate of which part of the schedules Depth or DPOR has run, from 0 to 1, as if all
	// subtrees below one decision had the same size; below 0 for strategies that cannot cover all.
	Covered float64
	// Endings is how many different endings the runs had: kinds, texts and outputs.
	Endings int
}

// covering is a Strategy that can cover all schedules.
type covering interface{ covered() float64 }

// count counts one more run.
func (s *search) count(e Ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs++
	if s.o.Progress == nil {
		return
	}
	h := fnv.New64a()
	for _, part := range []string{string(e.Kind), e.Text, e.Output} {
		_, _ = h.Write(append([]byte(part), 0))
	}
	s.endings[h.Sum64()] = true
	p := Progress{Runs: s.runs, Covered: -1, Endings: len(s.endings)}
	if c, covers := s.o.Strategy.(covering); covers {
		p.Covered = c.covered()
	}
	s.o.Progress(p)
}

// covered is the part of the tree on the left of the present path, the run itself included.
func (s *depth) covered() (part float64) {
	size := 1.0
	for _, b := range s.path {
		size /= float64(b.options)
		part += size * float64(b.choice)
	}
	return part + size
}

// covered is as for depth, but of the options that are known to be needed: later runs may add some.
func (s *dpor) covered() (part float64) {
	size := 1.0
	for _, n := range s.nodes {
		done, todo := 0, 0
		for i := range n.options {
			if n.todo[i] {
				todo++
			}
			if n.done[i] {
				done++
			}
		}
		size /= float64(todo)
		part += size * float64(done)
	}
	return part + size
}
