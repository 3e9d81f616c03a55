package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
)

// Clock is the shell a scheduler gets its time from. The scheduler reads no clock of
// its own: with the same instants it makes the same transitions (DESIGN §7).
type Clock interface {
	// Now never goes backwards.
	Now() fiber.Time
	// Wait parks the owner until the instant, until bell receives, or until ctx ends,
	// whichever is first. fiber.Never means that only the other two end it.
	Wait(ctx context.Context, until fiber.Time, bell <-chan struct{})
}

// SpinClock is a Clock that may stay awake a little before the owner is parked. Other goroutines
// need not wake an owner that is awake, which takes them, and it, far longer than to look.
type SpinClock interface {
	Clock
	// Watch tells whether something has come while it stayed awake, as came says. It is
	// over before the instant.
	Spin(until fiber.Time, came func() bool) bool
}

// VirtualClock is a clock that stands still while anything can run and jumps to the
// next deadline when nothing can: sleeps take no time and runs are reproducible.
type VirtualClock struct{ now fiber.Time }

// NewVirtualClock starts at the epoch.
func NewVirtualClock() *VirtualClock { return new(VirtualClock) }

// Now is the instant it stands at.
func (v *VirtualClock) Now() fiber.Time { return v.now }

// Advance moves the clock on to an instant; one that is past leaves it.
func (v *VirtualClock) Advance(to fiber.Time) { v.now = max(v.now, to) }

// Wait jumps to the instant. Without one it waits for the outside world.
func (v *VirtualClock) Wait(ctx context.Context, until fiber.Time, bell <-chan struct{}) {
	if until != fiber.Never {
		v.Advance(until)
		return
	}
	select {
	case <-bell:
	case <-ctx.Done():
	}
}
