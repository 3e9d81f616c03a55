package wallclock

import (
	"context"
	"runtime"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// Clock is monotonic real time; zero is the instant at which it was made. It belongs to the
// goroutine that owns the scheduler. An idle loop sleeps in Wait until the next deadline or a
// wake-up, without polling.
//
// To sleep and be woken takes a hundred times as long as to see a wake-up while awake. So
// while wake-ups from other goroutines follow each other closely, the clock spins for a short
// time before it sleeps. A wake-up that does not come in that time costs one of a few tries.
type Clock struct {
	epoch time.Time
	timer *time.Timer // made at the first Wait with a deadline
	tries int         // how many more spins may be in vain
}

const (
	// spinFor is how long one spin takes at most.
	spinFor = 20 * time.Microsecond
	// checksPerReading is how often Watch polls for each reading of the clock, which takes far longer.
	checksPerReading = 32
	// shortSleep is the length of a sleep that had better been a spin. Most of it is the time
	// it takes to be woken.
	shortSleep = 100 * time.Microsecond
	// maxTries is how many spins in a row may be in vain before the clock sleeps at once.
	maxTries = 8
)

// New makes a clock that starts at zero.
func New() *Clock { return &Clock{epoch: time.Now()} }

// Now is the time since the clock was made.
func (c *Clock) Now() fiber.Time { return fiber.Time(time.Since(c.epoch)) }

// Wait sleeps until the instant, until the wakeCh channel has a value, or until ctx ends.
func (c *Clock) Wait(ctx context.Context, until fiber.Time, wakeCh <-chan struct{}) {
	began := time.Since(c.epoch)
	if until != fiber.Never && time.Duration(until) <= began {
		return
	}
	// With one processor a spin would only keep the goroutine that wakes us from running.
	if c.sleep(ctx, until, wakeCh) && time.Since(c.epoch)-began < shortSleep && runtime.GOMAXPROCS(0) > 1 {
		c.tries = maxTries
	}
}

// Spin polls ready for at most 20 µs if recent wake-ups came quickly, and reports whether it
// returned true. It returns false at once if the instant is less than that away.
func (c *Clock) Spin(until fiber.Time, ready func() bool) bool {
	if c.tries == 0 {
		return false
	}
	if c.poll(ready) { // the usual case, without reading the clock
		return true
	}
	began := time.Since(c.epoch)
	if until != fiber.Never && time.Duration(until)-began <= spinFor {
		return false
	}
	for time.Since(c.epoch)-began < spinFor {
		if c.poll(ready) {
			return true
		}
		runtime.Gosched() // the goroutine that would wake us may need this thread
	}
	c.tries--
	return false
}

// poll calls ready some times, until it returns true.
func (c *Clock) poll(ready func() bool) bool {
	for range checksPerReading {
		if ready() {
			c.tries = maxTries
			return true
		}
	}
	return false
}

// sleep reports whether wakeCh ended it.
func (c *Clock) sleep(ctx context.Context, until fiber.Time, wakeCh <-chan struct{}) (woken bool) {
	var due <-chan time.Time // nil, which blocks forever, without a deadline
	if until != fiber.Never {
		left := time.Duration(until - c.Now())
		if left <= 0 {
			return false
		}
		due = c.after(left)
	}
	select {
	case <-due:
	case <-wakeCh:
		woken = true
	case <-ctx.Done():
	}
	if due != nil {
		c.timer.Stop()
	}
	return woken
}

// after restarts the one timer, so that a Wait allocates nothing.
func (c *Clock) after(d time.Duration) <-chan time.Time {
	if c.timer == nil {
		c.timer = time.NewTimer(d)
	} else {
		c.timer.Reset(d)
	}
	return c.timer.C
}
