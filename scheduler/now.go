package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// Now is the instant of this turn: it does not change between two polls, so everything that a
// batch does is at one instant, and a deadline that is computed twice is the same. It never
// goes back, even if the host's clock does. Nanoseconds since the clock's epoch.
func (c *Core) Now() fiber.Time {
	if invariants.On {
		c.checkOwner(op.Poll)
	}
	if c.stale {
		c.now = max(c.now, c.clock.Now())
		c.stale = false
	}
	return c.now
}
