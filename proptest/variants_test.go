package proptest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryWayIntoTheSchedulerIsGone(t *testing.T) {
	gone := map[string]int{}
	for n := range uint64(256) {
		fresh, seed, what := new(campaign).walk(n)
		l := fresh()
		l.taken = gone
		require.NoError(t, NewWalk(l).Wander(seed, 200), what)
	}
	for _, all := range variants() {
		for _, w := range all {
			assert.Positive(t, gone[w.name], "%s is never gone", w.name)
		}
	}
	for _, m := range merges() {
		assert.Positive(t, gone[m.name], "%s is never gone", m.name)
	}
	t.Log(gone)
}
