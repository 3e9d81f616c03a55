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
	// goal is the least ratio peer/ours for "times faster" rows, or the greatest ratio ours/peer
	// for cost rows (atMost); 0 means no goal, the ratio is only reported.
	goal   float64
	atMost bool
	// run does the work n times and returns what one operation took.
	ours, theirs func(n int) time.Duration
	n            int  // operations a sample
	whole        bool // n is part of the work: a short run takes fewer samples instead
	figure       bool // run returns the row's figure itself, not that of n operations
	most         int  // samples at most, where each takes long; 0: no limit
	runtime      bool // the peer is another runtime
	// failed says why the peer could not do the work; nil where it cannot fail.
	failed func() error
}

// result is the outcome of a row: medians per operation, in nanoseconds.
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

// Reported reports whether the row has no goal.
func (r result) Reported() bool { return r.Goal == 0 }

// Met reports whether the goal is reached, without a margin.
func (r result) Met() bool { return r.Reported() || r.progress() >= 1 }

// goal is the goal of the row, as printed.
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

// progress is the ratio relative to the goal: 1 at the goal, 2 if it is twice as good.
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
		if i%2 == 0 { // alternate the order, so that slow drifts cancel out
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

// shorten prepares a short run: fewer operations per sample or, where their number is part of the
// work, fewer samples.
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

// samples is the number of samples that the row takes of those requested.
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
