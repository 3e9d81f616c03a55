package proptest

import (
	"testing"

	"pgregory.net/rapid"
)

// stepsAtMost is the length of a walk that rapid makes up. It makes up a hundred of
// them, most of them much shorter.
const stepsAtMost = 20_000

func TestWalksOfRapidStayInStep(t *testing.T) {
	steps := 0
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(wide).Draw(t, "bounds")
		host := rapid.SampledFrom(hosts()).Draw(t, "host")
		steps += rapidWalk(t, func() *Lockstep { return NewLockstep(c, host) })
	})
	t.Logf("%d steps", steps)
}

// rapidWalk lets rapid choose every step, so that rapid can shrink a failure its own
// way; what it has found is then shortened ours.
func rapidWalk(t *rapid.T, fresh func() *Lockstep) int {
	w := NewWalk(fresh())
	n := rapid.IntRange(0, stepsAtMost).Draw(t, "steps")
	number := rapid.Uint32Range(0, 1<<16)
	for range n {
		if err := w.Take(number.Draw(t, "choice")); err != nil {
			t.Fatalf("%v", reported(w.Explain(fresh, err)))
		}
	}
	return n
}
