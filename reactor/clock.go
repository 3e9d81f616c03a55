package reactor

import (
	"context"
	"runtime"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// WallClock is real time for a scheduler: its epoch is its making, it is monotonic,
// and an idle loop sleeps on it until the next deadline or the bell, without polling.
// It belongs to the goroutine that owns the scheduler.
//
// While wakes from other goroutines follow each other closely it stays awake a little for
// the next one: to go to sleep and be woken takes a hundred times as long. A wake that
// does not come in time puts it to sleep, and some of those stop it from waiting awake.
type WallClock struct {
	epoch time.Time
	timer *time.Timer // made at the first Wait with a deadline
	hope  int         // of a wake that comes at once: how many more times to stay awake
}

const (
	// staysAwake is for how long, in the hope of a wake.
	staysAwake = 20 * time.Microsecond
	// looks is how often it looks for each reading of the clock, which takes far longer.
	looks = 32
	// soon is how long a sleep may have been that it would have been better not to begin:
	// most of it is what it takes to be woken.
	soon = 100 * time.Microsecond
	// mostHope is how many wakes in a row may not come before it sleeps at once.
	mostHope = 8
)

// NewWallClock starts at zero now.
func NewWallClock() *WallClock { return &WallClock{epoch: time.Now()} }

// Now is the time since the epoch.
func (w *WallClock) Now() fiber.Time { return fiber.Time(time.Since(w.epoch)) }

// Wait sleeps until the instant, the bell, or the end of ctx.
func (w *WallClock) Wait(ctx context.Context, until fiber.Time, bell <-chan struct{}) {
	began := time.Since(w.epoch)
	if until != fiber.Never && time.Duration(until) <= began {
		return
	}
	if w.sleep(ctx, until, bell) && time.Since(w.epoch)-began < soon && runtime.GOMAXPROCS(0) > 1 {
		w.hope = mostHope
	}
}

// Watch stays awake while there is hope that something comes at once, and tells whether it
// has.
func (w *WallClock) Spin(until fiber.Time, came func() bool) bool {
	if w.hope == 0 {
		return false
	}
	if w.sees(came) { // nearly always: the time has not been asked for yet
		return true
	}
	began := time.Since(w.epoch)
	if until != fiber.Never && time.Duration(until)-began <= staysAwake {
		return false
	}
	for time.Since(w.epoch)-began < staysAwake {
		if w.sees(came) {
			return true
		}
		runtime.Gosched() // to who would wake it, if that has no thread of its own
	}
	w.hope--
	return false
}

// sees looks some times.
func (w *WallClock) sees(came func() bool) bool {
	for range looks {
		if came() {
			w.hope = mostHope
			return true
		}
	}
	return false
}

// sleep tells whether the bell ended it.
func (w *WallClock) sleep(ctx context.Context, until fiber.Time, bell <-chan struct{}) (rung bool) {
	var due <-chan time.Time // blocks for ever without a deadline
	if until != fiber.Never {
		left := time.Duration(until - w.Now())
		if left <= 0 {
			return false
		}
		due = w.after(left)
	}
	select {
	case <-due:
	case <-bell:
		rung = true
	case <-ctx.Done():
	}
	if due != nil {
		w.timer.Stop()
	}
	return rung
}

func (w *WallClock) after(d time.Duration) <-chan time.Time {
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	return w.timer.C
}
