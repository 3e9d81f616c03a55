package fiberio

import (
	"math"
	"time"
)

// maxBehind is how far a client may be behind the minimum rate.
const maxBehind = 10 * time.Second

// pace measures whether the bytes of a body arrive at a minimum rate. Bytes buy time, reading
// takes it, and at most maxBehind is kept: bytes that arrive quickly do not pay for a long stall.
type pace struct {
	rate int64         // bytes per second; math.MaxInt64 is none
	left time.Duration // how long the next read may take
	end  time.Time     // of the whole body; zero is never
}

func newPace(begin time.Time, rate int64, timeout time.Duration) pace {
	p := pace{rate: rate, left: maxBehind}
	if timeout != math.MaxInt64 {
		p.end = begin.Add(timeout)
	}
	return p
}

// deadline is that of a read which begins now; zero is never.
func (p *pace) deadline(now time.Time) time.Time {
	if p.rate == math.MaxInt64 {
		return p.end
	}
	due := now.Add(p.left)
	if !p.end.IsZero() && p.end.Before(due) {
		return p.end
	}
	return due
}

// took accounts for a read.
func (p *pace) took(n int, d time.Duration) {
	bought := time.Duration(float64(n) / float64(p.rate) * float64(time.Second))
	p.left = min(p.left-d+bought, maxBehind)
}
