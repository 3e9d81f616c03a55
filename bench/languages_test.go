package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row panics before it is timed if its two programs do not come to the same result.
func TestEveryLanguageComesToTheSameResult(t *testing.T) {
	for _, r := range languageRows() {
		t.Run(r.work+" and "+r.peer, func(t *testing.T) {
			assert.Positive(t, r.ours(3))
			assert.Positive(t, r.theirs(3))
		})
	}
}

func TestARowOfDifferentResultsIsNotTimed(t *testing.T) {
	r := compared(row{work: "fib", peer: "n-body"}, workNatively("Fib"), workNatively("NBody"))
	assert.Panics(t, func() { r.ours(1) })
}

// A row without a goal cannot miss it, and has no bar among those that have one.
func TestARowWithoutAGoalIsReported(t *testing.T) {
	twice := row{work: "w", peer: "p", n: 1, figure: true, ours: stated(2), theirs: stated(4)}
	res := twice.measure(1, 0, func() {})
	require.True(t, res.OK)
	assert.True(t, res.Met())
	assert.Equal(t, 2.0, res.Ratio)
	assert.Equal(t, "none", res.goal())
	assert.Empty(t, missed([]result{res}))
	assert.NotContains(t, plot([]result{res}), "NaN")
	assert.Equal(t, strings.Count(plot(nil), "<rect"), strings.Count(plot([]result{res}), "<rect"))
}
