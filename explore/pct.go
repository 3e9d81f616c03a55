package explore

import (
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// pct gives each fiber a random priority, and lowers that of the running fiber at a few random
// decisions. Of the ready fibers the one with the highest priority runs.
type pct struct {
	seed, run uint64
	depth     int
	rng       *rand.Rand
	priority  map[fiber.ID]float64 // above 0 at first; below 0 once lowered
	changes   map[int]bool         // the decisions at which the priority is lowered
	steps     int                  // decisions of this run
	longest   int                  // decisions of the longest run so far
	lowered   int                  // how often patience has ended
	same      int                  // how often the last fiber was chosen in a row
	last      fiber.ID
	patience  int // how often a fiber is chosen in a row before its priority is lowered
}

// PCT is the strategy of probabilistic concurrency testing. A bug that needs depth orderings of
// decisions is found in one run with a probability of at least 1/(n·k^(depth-1)), for n fibers and k
// decisions. k is that of the longest run so far. A fiber that is chosen a thousand times in a row
// gets the lowest priority, so that a loop that waits for another fiber ends. In each 16th run it may be chosen
// 300,000 times and no other priority is lowered: then a long loop comes to its end before other fibers run.
func PCT(seed uint64, depth int) Strategy { return &pct{seed: seed, depth: max(depth, 1)} }

// patience is how often a fiber is chosen in a row before its priority is lowered; longPatience that of a long
// run.
const (
	patience     = 1000
	longPatience = 300_000
	longRuns     = 16 // each of which is a long one
)

func (s *pct) Begin() bool {
	s.longest = max(s.longest, s.steps, 1)
	s.run++
	s.rng = rand.New(rand.NewPCG(s.seed, s.run))
	s.priority, s.changes = map[fiber.ID]float64{}, map[int]bool{}
	s.steps, s.lowered, s.same, s.last, s.patience = 0, 0, 0, 0, patience
	if s.run%longRuns == 0 {
		s.patience = longPatience
		return true
	}
	for range s.depth - 1 {
		s.changes[s.rng.IntN(s.longest)] = true
	}
	return true
}

func (s *pct) Choose(c scheduler.Choice) int {
	if c.Kind == scheduler.ChooseNumber {
		return s.rng.IntN(c.Options)
	}
	for _, id := range c.Fibers {
		if _, known := s.priority[id]; !known {
			s.priority[id] = s.rng.Float64()
		}
	}
	best := s.best(c.Fibers)
	if impatient := s.same > s.patience; impatient || s.changes[s.steps] {
		s.lower(c.Fibers[best], impatient)
		best = s.best(c.Fibers)
	}
	s.steps++
	if id := c.Fibers[best]; id == s.last {
		s.same++
	} else {
		s.last, s.same = id, 0
	}
	return best
}

// lower puts a priority below those that have not been lowered, in random order among the others;
// without patience it puts it below all.
func (s *pct) lower(id fiber.ID, last bool) {
	s.priority[id] = -s.rng.Float64()
	if last {
		s.lowered++
		s.priority[id] = float64(-s.lowered)
	}
	s.same = 0
}

func (s *pct) best(fibers []fiber.ID) (at int) {
	for i, id := range fibers {
		if s.priority[id] > s.priority[fibers[at]] {
			at = i
		}
	}
	return at
}

func (s *pct) Complete() string { return "" }
