package scheduler

import (
	"iter"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
)

// Counts are totals of the fibers so far. They obey I12: Spawned + MovedIn = live + Ended +
// MovedOut. Lost counts results assigned to fibers that died before they collected them,
// Retired the slots of both pools that have used up their generations.
type Counts struct {
	Spawned, Ended, Killed, Lost, Retired uint64
	MovedIn, MovedOut                     uint64
}

// Counts are the totals so far.
func (f Inspect) Counts() Counts {
	n := f.core.counts
	n.Retired = f.core.slots.retired + f.core.tramps.retired
	return n
}

// Number is Config.Number.
func (f Inspect) Number() uint16 { return f.core.number }

// Budget is Config.Budget: the units one time slice may use.
func (f Inspect) Budget() int { return f.core.cfg.Budget }

// Random is the generator of every random choice made under this scheduler: same seed, same
// choices. Only the owner may draw from it.
func (f Inspect) Random() *rand.Rand { return f.core.rng }

// Transitions counts the changes of state so far, except mountings.
func (f Inspect) Transitions() uint64 { return f.core.step }

// Live is how many fibers are not Dead, those with a kill pending included.
func (f Inspect) Live() int {
	n := &f.core.counts
	return int(n.Spawned + n.MovedIn - n.Ended - n.MovedOut)
}

// LiveTrampolines is how many native calls are in flight.
func (f Inspect) LiveTrampolines() int { return f.core.tramps.live }

// Blocked is how many regular fibers are Blocked.
func (f Inspect) Blocked() int {
	c := f.core
	n := f.Live() - c.run().len() - len(c.pins) - c.lent
	if c.cur != c.none {
		n--
	}
	return n
}

// HasWork tells whether a fiber is in the ready queue or Running.
func (c *Core) HasWork() bool { return c.run().len() > 0 || c.cur != c.none || c.lent > 0 }

// HasIOWaiters tells whether any wait is for an operation's completion.
func (c *Core) HasIOWaiters() bool { return c.io.Awaiting() > 0 }

// Ready yields the ready queue, its head first: the order in which fibers run next. It is
// valid until the next operation.
func (f Inspect) Ready() iter.Seq[fiber.RegularID] {
	c := f.core
	return func(yield func(fiber.RegularID) bool) {
		for slot := range c.run().all() {
			if !yield(fiber.NewRegularID(slot, c.slots.at(slot).gen)) {
				return
			}
		}
	}
}
