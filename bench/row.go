package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// row is one comparison: the same work, done by us and by a peer.
type row struct {
	id, work, peer string
	// goal is the least ratio peer/ours for "times faster" rows, or the greatest
	// ratio ours/peer for cost rows (atMost); 0: there is none, the ratio is reported.
	goal   float64
	atMost bool
	// run does the work n times and returns what one operation took.
	ours, theirs func(n int) time.Duration
	n            int  // operations a sample
	whole        bool // n is part of the work: a short run takes fewer samples instead
	figure       bool // they return the row's figure itself, not that of n operations
	most         int  // samples at most, where each takes long; 0: as many as are asked for
	runtime      bool // the peer is another runtime
	// failed says why the peer could not do the work; nil where it cannot fail.
	failed func() error
}

// result is what a row came to: medians of one operation, in nanoseconds.
type result struct {
	ID     string  `json:"id"`
	Work   string  `json:"work"`
	Peer   string  `json:"peer"`
	Ours   float64 `json:"value"`
	Theirs float64 `json:"peer_value"`
	Spread float64 `json:"spread"` // of the ratio: (max-min)/median
	Ratio  float64 `json:"ratio"`
	Goal   float64 `json:"goal"`
	AtMost bool    `json:"at_most,omitempty"`
	OK     bool    `json:"ok"`
	// Runtime: the peer is another runtime, in a process of its own.
	Runtime bool `json:"runtime,omitempty"`
}

// Reported is true for a row without a goal.
func (r result) Reported() bool { return r.Goal == 0 }

// Met reports whether the goal is reached, without a margin.
func (r result) Met() bool { return r.Reported() || r.progress() >= 1 }

// goal is what the row was to reach, as it is printed.
func (r result) goal() string {
	switch {
	case r.Reported():
		return "none"
	case r.AtMost:
		return fmt.Sprintf("≤ %.2f×", r.Goal)
	}
	return fmt.Sprintf("≥ %.2f×", r.Goal)
}

// Percent is the spread.
func (r result) Percent() float64 { return 100 * r.Spread }

// progress is how far it got: 1 at the goal, 2 where it is twice as good.
func (r result) progress() float64 {
	if r.AtMost {
		return r.Goal / r.Ratio
	}
	return r.Ratio / r.Goal
}

// defaultMargin is how far a ratio may miss its goal on a noisy machine.
const defaultMargin = 0.10

// measure takes the samples in turn and compares them pair by pair.
func (r *row) measure(samples int, margin float64, tick func()) result {
	samples = r.samples(samples)
	ours, theirs, ratios := make([]float64, samples), make([]float64, samples), make([]float64, samples)
	r.ours(r.n/10 + 1)
	r.theirs(r.n/10 + 1)
	for i := range samples {
		if i%2 == 0 { // neither is always the first: what changes slowly cancels out
			ours[i] = r.perOp(r.ours)
			theirs[i] = r.perOp(r.theirs)
		} else {
			theirs[i] = r.perOp(r.theirs)
			ours[i] = r.perOp(r.ours)
		}
		ratios[i] = theirs[i] / ours[i]
		if r.atMost {
			ratios[i] = ours[i] / theirs[i]
		}
		tick()
	}
	res := result{ID: r.id, Work: r.work, Peer: r.peer, Goal: r.goal, AtMost: r.atMost, Runtime: r.runtime,
		Ours: median(ours), Theirs: median(theirs), Ratio: median(ratios)}
	res.Spread = (slices.Max(ratios) - slices.Min(ratios)) / res.Ratio
	res.OK = res.Ratio >= r.goal*(1-margin)
	if r.atMost {
		res.OK = res.Ratio <= r.goal*(1+margin)
	}
	return res
}

// shorten is for a short run: a part of the operations in a sample, or, where their number
// is what the row is about, fewer samples.
func (r *row) shorten() {
	switch {
	case r.whole && r.n >= million: // seconds each
		r.most = 1
		return
	case r.whole:
		r.most = 3
		return
	}
	r.n /= 6
}

// samples is how many of those that are asked for the row takes.
func (r *row) samples(asked int) int {
	if r.most > 0 {
		return min(asked, r.most)
	}
	return asked
}

func (r *row) perOp(f func(int) time.Duration) float64 {
	took := float64(f(r.n).Nanoseconds())
	if r.figure {
		return took
	}
	return took / float64(r.n)
}

func median[T cmp.Ordered](v []T) T {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}
