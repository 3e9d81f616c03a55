package explore

import (
	"math/rand/v2"

	"github.com/selvage-dev/selvage/scheduler"
)

// random makes each decision at random.
type random struct {
	seed, run uint64
	rng       *rand.Rand
}

// Random is a strategy whose decisions are all equally likely. Each run has a generator of its own, so
// that a search with the same seed is the same.
func Random(seed uint64) Strategy { return &random{seed: seed} }

func (s *random) Begin() bool {
	s.run++
	s.rng = rand.New(rand.NewPCG(s.seed, s.run))
	return true
}

func (s *random) Choose(c scheduler.Choice) int { return s.rng.IntN(c.Options) }

func (s *random) Complete() string { return "" }
