package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// Clock is the shell a scheduler gets its time from. The scheduler reads no clock of
// its own: with the same instants it makes the same transitions (docs/design.md#determinism).
// Only the owner of the scheduler calls it. Now is called at most once a turn.
type Clock interface {
	// Now is the present instant. It should not go backwards; a scheduler ignores it while it
	// is before an instant that was returned earlier.
	Now() fiber.Time
	// Wait parks the owner until the instant, until wakeCh receives, or until ctx ends,
	// whichever is first. fiber.Never means that only the other two end it. It may return
	// early: the loop polls and asks for the verdict again.
	Wait(ctx context.Context, until fiber.Time, wakeCh <-chan struct{})
}

// SpinClock is a Clock that may stay awake for a short time before the owner is parked. Other
// goroutines need not signal an owner that is awake; signaling costs both sides far more
// than polling.
type SpinClock interface {
	Clock
	// Spin stays awake for a short time, at most until the instant, and reports whether
	// ready returned true meanwhile. ready is cheap: two atomic loads, and a call for each
	// ExternalSource. Only the owner's goroutine may call it.
	Spin(until fiber.Time, ready func() bool) bool
}

// VirtualClock is a clock that stands still while anything can run and jumps to the
// next deadline when nothing can: sleeps take no time and runs are reproducible. It has no lock:
// only the owner's goroutine uses it.
type VirtualClock struct{ now fiber.Time }

// NewVirtualClock starts at the epoch.
func NewVirtualClock() *VirtualClock { return new(VirtualClock) }

// Now is the instant it stands at.
func (v *VirtualClock) Now() fiber.Time { return v.now }

// Advance moves the clock on to an instant; one that is past leaves it. Deadlines that this
// passes come due at the next poll, earliest first.
func (v *VirtualClock) Advance(to fiber.Time) { v.now = max(v.now, to) }

// Wait jumps to the instant. Without one it waits for input from outside.
func (v *VirtualClock) Wait(ctx context.Context, until fiber.Time, wakeCh <-chan struct{}) {
	if until != fiber.Never {
		v.Advance(until)
		return
	}
	select {
	case <-wakeCh:
	case <-ctx.Done():
	}
}
