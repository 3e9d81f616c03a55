package reactor

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

// WallClock is real time for a scheduler: its epoch is its making, it is monotonic,
// and an idle loop sleeps on it until the next deadline or the bell, without polling.
// It belongs to the goroutine that owns the scheduler.
type WallClock struct {
	epoch time.Time
	timer *time.Timer // made at the first Wait with a deadline
}

// NewWallClock starts at zero now.
func NewWallClock() *WallClock { return &WallClock{epoch: time.Now()} }

// Now is the time since the epoch.
func (w *WallClock) Now() fiber.Time { return fiber.Time(time.Since(w.epoch)) }

// Wait sleeps until the instant, the bell, or the end of ctx.
func (w *WallClock) Wait(ctx context.Context, until fiber.Time, bell <-chan struct{}) {
	var due <-chan time.Time // blocks for ever without a deadline
	if until != fiber.Never {
		left := time.Duration(until - w.Now())
		if left <= 0 {
			return
		}
		due = w.after(left)
	}
	select {
	case <-due:
	case <-bell:
	case <-ctx.Done():
	}
	if due != nil {
		w.timer.Stop()
	}
}

func (w *WallClock) after(d time.Duration) <-chan time.Time {
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	return w.timer.C
}
