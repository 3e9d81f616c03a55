package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// WaitForInput parks the goroutine that owns the scheduler, as Run does when the verdict is
// Waiting: until the instant, until another goroutine posts a command, or until ctx ends. It
// is for a host that owns the loop; Poll comes next. It may also return for no reason, so the
// caller polls and asks for a verdict again.
func (f Steps) WaitForInput(ctx context.Context, until fiber.Time) {
	if invariants.On {
		f.core.checkOwner(op.Idle)
	}
	if ctx == nil {
		f.core.refuseAs(op.Idle, rule.ValidArgument, "WaitForInput has no context: pass context.Background() to wait without a limit")
	}
	if !f.spin(until) {
		f.sleep(ctx, until)
	}
}

// spin stays awake for a short time, if the clock does so, and tells whether input has come.
// Senders see an owner that is not asleep and need not signal it. The function value is made
// once (init): a method value would allocate at each turn.
func (f Steps) spin(until fiber.Time) bool {
	c := f.core
	return c.spinClock != nil && c.spinClock.Spin(until, c.inputReady)
}

// sleep waits in the clock. The order prevents a lost wake-up (I9): the owner first says that
// it sleeps and then looks at the inbox once more, while a sender first fills the inbox and
// then looks whether the owner sleeps. Go's atomic operations have one total order, so one of
// the two sees the other: either the owner does not wait, or the sender signals.
//
// wakeCh holds one signal. One that is left over from a sender that was late makes the next
// sleep end at once, for a poll that finds nothing.
func (f Steps) sleep(ctx context.Context, until fiber.Time) {
	c := f.core
	for _, src := range c.externalSources {
		until = src.SleepUntil(until)
	}
	// From here on their senders notify the inbox. It comes before the last look at the
	// inbox, which thus sees a notification of any of them.
	for _, src := range c.externalSources {
		src.PrepareSleep()
	}
	b := c.inbox
	b.asleep.Store(true)
	if !b.pending() {
		c.clock.Wait(ctx, until, b.wakeCh)
	}
	b.asleep.Store(false)
}

// hasInput tells whether something has come since the last poll. A spinning clock calls it
// again and again: it reads a few words that senders write, and takes no lock.
func (f Steps) hasInput() bool {
	c := f.core
	if c.inbox.pending() {
		return true
	}
	for _, src := range c.externalSources {
		if src.Ready() {
			return true
		}
	}
	return false
}

// sourcePending tells whether an ExternalSource may end a fiber's wait or bring a fiber, so
// that blocked fibers are no deadlock.
func (f Steps) sourcePending() bool {
	for _, src := range f.core.externalSources {
		if src.Pending() {
			return true
		}
	}
	return false
}
