package fiberio

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A client may stall for ten seconds at any time, and every byte in time buys it 1/rate seconds, up
// to those ten.
func TestPaceKeepsTheMinimumRate(t *testing.T) {
	begin := time.Unix(1000, 0)
	type read struct {
		bytes   int
		seconds float64
	}
	for name, c := range map[string]struct {
		rate    int64
		timeout time.Duration
		reads   []read
		left    float64 // seconds from the end of the last read to the deadline of the next; 0 is none
	}{
		"nothing has arrived":      {100, time.Hour, nil, 10},
		"exactly the rate":         {100, time.Hour, []read{{100, 1}, {200, 2}, {50, 0.5}}, 10},
		"a stall":                  {100, time.Hour, []read{{1, 9}}, 1.01},
		"a stall is made up":       {100, time.Hour, []read{{1, 9}, {500, 0}}, 6.01},
		"a burst pays for no more": {100, time.Hour, []read{{1 << 20, 0}}, 10},
		"a byte in each 9 seconds": {100, time.Hour, []read{{1, 9}, {1, 0.9}}, 0.12},
		"the end of the body":      {100, 20 * time.Second, []read{{1500, 15}}, 5},
		"no rate":                  {math.MaxInt64, 20 * time.Second, []read{{0, 15}}, 5},
		"no limit":                 {math.MaxInt64, math.MaxInt64, []read{{0, 1e6}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, now := newPace(begin, c.rate, c.timeout), begin
			for _, r := range c.reads {
				d := time.Duration(r.seconds * float64(time.Second))
				now = now.Add(d)
				p.took(r.bytes, d)
			}
			due := p.deadline(now)
			if c.left == 0 {
				assert.Zero(t, due)
				return
			}
			assert.InDelta(t, c.left, due.Sub(now).Seconds(), 1e-6)
		})
	}
}
