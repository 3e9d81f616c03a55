package scheduler

import (
	"iter"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
)

// Counts are the totals so far, which are never reset. They obey I12: see Counts.
func (f Inspect) Counts() Counts {
	n := f.core.counts
	n.Retired = uint64(f.core.slots.retired) + f.core.tramps.retired
	return n
}

// Number is Config.Number.
func (f Inspect) Number() uint16 { return f.core.number }

// Budget is Config.Budget: the units one time slice may use.
func (f Inspect) Budget() int { return f.core.cfg.Budget }

// Site is where a fiber is in the guest's program, as reports show it; "" without Config.Site.
func (f Inspect) Site(id fiber.ID) string { return f.core.siteOf(id) }

// Random is the generator of every random choice made under this scheduler: same seed, same
// choices. Only the owner may draw from it.
func (f Inspect) Random() *rand.Rand { return f.core.rng }

// Transitions counts the changes of state so far, except mountings: ScheduleNext writes no history.
func (f Inspect) Transitions() uint64 { return f.core.step }

// Lingers reports whether the main fiber of the run under way has returned (Config.Linger).
func (f Inspect) Lingers() bool { return f.core.lingers }

// Live is how many fibers are not Dead, those with a kill pending included.
func (f Inspect) Live() int {
	n := &f.core.counts
	return int(n.Spawned + n.MovedIn - n.Ended - n.MovedOut)
}

// LiveTrampolines is how many native calls are in flight.
func (f Inspect) LiveTrampolines() int { return f.core.tramps.live }

// Blocked is how many regular fibers are Blocked. It is derived: the living fibers that are neither
// ready, held or in one of the three places of a Running fiber (I2). So no transition pays for a count.
func (f Inspect) Blocked() int {
	c := f.core
	n := f.Live() - c.run().len() - c.pauses.held - len(c.pins) - c.lent
	if c.cur != c.none {
		n--
	}
	return n
}

// HasWork reports whether a fiber is in the ready queue or Running, as the current one or lent. A
// ready fiber may have been killed: then ScheduleNext returns nil after a Poll that has ended it.
func (c *Core) HasWork() bool { return c.run().len() > 0 || c.cur != c.none || c.lent > 0 }

// HasBlocked reports whether any regular fiber is Blocked. A root that is pinned under a pump is
// not: it is Running.
func (c *Core) HasBlocked() bool { return c.Inspect().Blocked() > 0 }

// HasIOWaiters reports whether an operation in flight is awaited by a fiber or is to complete a
// cell (Ops.Attach).
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

// Wait is what a blocked fiber or native call waits for.
type Wait struct {
	Kind    fiber.Kind
	Source  fiber.Source // the first of the objects; nil if it waits on none
	Sources int          // on how many objects it waits
}

// Wait tells what a fiber or native call waits for; ok is false if it is not blocked, or waits for its own
// native call. It costs no time that depends on the number of fibers, and allocates nothing.
func (f Inspect) Wait(id fiber.ID) (w Wait, ok bool) {
	c := f.core
	h := c.find(id)
	if h == nil || h.state() != fiber.Blocked || h.has(onCallee) {
		return Wait{}, false
	}
	w.Kind = h.kind()
	var buf [8]uint32
	if slots := c.reg.slotsOf(h, buf[:0]); len(slots) > 0 {
		w.Source, w.Sources = c.reg.sources.at(slots[0]).source, len(slots)
	}
	return w, true
}
