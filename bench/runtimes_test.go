package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/bench/peers"
)

// A runtime whose program breaks costs its own row and nothing else.
func TestARuntimeThatBreaksIsLeftOut(t *testing.T) {
	w := sharedWork{name: "yield-8", row: row{work: "next+yield", n: 8, ours: nextYield(8)}}
	r := w.beside(peers.New("none 0.1", "a command that nobody has"))
	res := r.measure(3, defaultMargin, func() {})
	assert.ErrorContains(t, r.failed(), "a command that nobody has")
	assert.Equal(t, "none 0.1", res.Peer)
	assert.True(t, res.OK, "it has no goal")
	assert.Equal(t, time.Duration(1), r.theirs(8), "it is asked no more")
}

// Whatever a runtime's program can do has work of ours beside it, and the other way round.
func TestWhatRuntimesCanDoIsMeasured(t *testing.T) {
	ours := map[string]bool{}
	for _, w := range sharedWorks() {
		ours[w.name] = true
		assert.True(t, slices.ContainsFunc(peers.All(), func(k peers.Kind) bool { return slices.Contains(k.Works, w.name) }), w.name)
	}
	for _, k := range peers.All() {
		for _, work := range k.Works {
			assert.True(t, ours[work], "%s can do %s", k.Name, work)
		}
	}
}
