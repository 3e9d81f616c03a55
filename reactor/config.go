package reactor

import (
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Config is what a Reactor is made with; the zero Config is usable, and inline. New copies it, so
// later changes have no effect.
type Config struct {
	scheduler.Config
	// Workers is how many slices run in parallel, each on a goroutine of its own, at most
	// 4096. 0 is inline: the goroutine that calls Run runs them, one after the other.
	Workers int
	// IOWorkers is how many calls of the pool IO may block at once, as blocking.Config.Workers.
	IOWorkers int
	// InFlight is how many slices may be handed to the workers and not taken back. 0 is two
	// for each worker. Fibers take effect in the order in which their slices end, so more
	// slices in flight make a run less fair and not faster.
	InFlight int
	// Ordered has slices take effect in the order in which they were handed out, instead of
	// the order in which they end. Then a run without I/O and timers is the same on every
	// machine, with any number of workers and the same InFlight.
	Ordered bool
	// StallAfter is how long a slice may run before it is asked to end (Slice.Preempted),
	// and the time between further requests. 0 is 10 ms, the most is an hour.
	StallAfter time.Duration
	// Refusals is after how many requests in vain a slice is reported to Stalled; 0 is 100.
	Refusals int
	// Stalled, if it is not nil, is called once by the owner for a slice that ignored that
	// many requests. Ran is how long the slice has run. If the function returns an error, the
	// fiber is killed with that cause, and dies when its slice ends. It may use the scheduler.
	Stalled func(id fiber.RegularID, ran time.Duration) (kill error)
	// Drain is how long Run waits for running slices and blocking work after the run has
	// ended; 0 is 10 s, the most is a day.
	Drain time.Duration
}

const (
	defaultStallAfter = 10 * time.Millisecond
	defaultRefusals   = 100
	defaultDrain      = 10 * time.Second
	maxWorkers        = 1 << 12
)

// ErrConfig is the error of a setting out of range; the text names it and the range.
var ErrConfig = errors.New("reactor: bad configuration")

// check returns ErrConfig for a setting out of range. Limits far above any use catch mistyped
// numbers, and keep the sums in nextCheck from overflowing.
func (c *Config) check() error {
	for _, setting := range []struct {
		name     string
		n, limit int64
	}{
		{"Workers", int64(c.Workers), maxWorkers}, {"InFlight", int64(c.InFlight), 1 << 20}, {"Refusals", int64(c.Refusals), 1 << 30},
		{"StallAfter", int64(c.StallAfter), int64(time.Hour)}, {"Drain", int64(c.Drain), int64(24 * time.Hour)},
	} {
		if setting.n < 0 || setting.n > setting.limit {
			return fmt.Errorf("%w: %s is %d: want 0 to %d", ErrConfig, setting.name, setting.n, setting.limit)
		}
	}
	if c.IOWorkers < 0 {
		return fmt.Errorf("%w: IOWorkers is %d: want 0 (the default, 64) or more", ErrConfig, c.IOWorkers)
	}
	if c.Workers > 0 && c.Clock != nil {
		return fmt.Errorf("%w: Clock is set: slices on workers take real time, leave it nil", ErrConfig)
	}
	return nil
}

// setDefaults fills in the settings that are zero.
func (c *Config) setDefaults() {
	if c.InFlight == 0 {
		c.InFlight = max(1, 2*c.Workers)
	}
	if c.StallAfter == 0 {
		c.StallAfter = defaultStallAfter
	}
	if c.Refusals == 0 {
		c.Refusals = defaultRefusals
	}
	if c.Drain == 0 {
		c.Drain = defaultDrain
	}
}
