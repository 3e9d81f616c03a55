package scheduler

import "github.com/selvage-dev/selvage/fiber"

// Device does the operations that fibers submit. It is the owner's, and a shell around
// whatever does the work.
type Device interface {
	// Serve is called at every poll, after the commands from outside have been carried
	// out and before the next batch: it hands on what was submitted since, and cancels
	// those of its operations that nobody waits for any more. Every device is told of
	// all of them; the slice is good until Serve returns. It may use the scheduler,
	// and must not block.
	Serve(abandoned []fiber.Token)
}

// Collector is a Device whose operations end elsewhere, in other goroutines, and which has
// the owner poll then (Inbox.Notify).
type Collector interface {
	Device
	// Collect is called at every poll, before any device is served: it completes
	// (Core.Complete) the operations that have ended since the last time.
	Collect()
}

// ExternalSource is a Device through which waits end that no fiber, operation or deadline of this
// scheduler would end: the ports of an island.
type ExternalSource interface {
	Device
	// Awaited tells whether it may yet bring something: what a fiber waits for, or a new
	// fiber. Then an idle scheduler is Waiting, not in Deadlock and not Done. It is asked
	// when nothing is runnable.
	Pending() bool
	// Rest is called before the loop goes to sleep until the instant, and gives the one
	// at which it wants to be served at the latest. It must not use the scheduler.
	SleepUntil(until fiber.Time) fiber.Time
	// Came tells whether something has come for it to serve. A loop that stays awake a little
	// (SpinClock) asks again and again, so nobody needs to rouse it for this device meanwhile.
	Ready() bool
	// Doze is called when the loop goes to sleep after all: from now on what comes has to
	// rouse the owner, and what has come since the last Serve the device does itself.
	PrepareSleep()
}

// Attend has the device served from now on, after those that came before it.
func (c *Core) AddDevice(d Device) {
	c.devices = append(c.devices, d)
	if k, ok := d.(Collector); ok {
		c.collectors = append(c.collectors, k)
	}
	if l, ok := d.(ExternalSource); ok {
		c.lookouts = append(c.lookouts, l)
	}
}

func (c *Core) serveDevices() {
	c.abandoned = c.io.Cancellations(c.abandoned[:0])
	for _, d := range c.devices {
		d.Serve(c.abandoned)
	}
}

// cameSince tells whether something has come since the last poll.
func (c *Core) cameSince() bool {
	if c.inbox.pending() {
		return true
	}
	for _, l := range c.lookouts {
		if l.Ready() {
			return true
		}
	}
	return false
}

// lookoutAwaited tells whether a ExternalSource may end somebody's wait.
func (c *Core) lookoutAwaited() bool {
	for _, l := range c.lookouts {
		if l.Pending() {
			return true
		}
	}
	return false
}
