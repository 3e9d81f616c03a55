package island

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// device is an Island as its scheduler sees it. Its methods are for the scheduler only.
type device Island

var _ scheduler.ExternalSource = (*device)(nil)

// Serve handles everything that other islands have left here.
func (d *device) Serve([]fiber.Token) {
	i := (*Island)(d)
	i.prober.StartTurn()
	for i.raised.Load() != nil && !i.deadlocked() {
		i.readMail()
		i.handleSignals()
	}
	if !i.deadlocked() {
		i.handlePolled()
	}
	for _, b := range i.bridges {
		b.Serve()
	}
	if i.prober.HasWork() { // last: answers have to follow from everything that has arrived
		i.serveProbes()
	}
}

// Awaited tells whether others may still bring something: fibers to run, or what fibers here
// wait for.
func (d *device) Pending() bool {
	i := (*Island)(d)
	if i.stopping || i.prober.ignorePorts || i.deadlocked() {
		return false
	}
	return i.servesOthers() || i.portAwaited() || i.bridgeBusy()
}

// Rest is when the island wants to be served at the latest.
func (d *device) SleepUntil(until fiber.Time) fiber.Time {
	i := (*Island)(d)
	i.parks = true
	for _, b := range i.bridges {
		until = min(until, b.Next())
	}
	return i.nextProbe(until)
}

// Came tells a loop that stays awake for a while whether there is something to serve.
func (d *device) Ready() bool {
	i := (*Island)(d)
	return i.pollPending() && !i.deadlocked()
}

// PrepareSleep is called when the loop goes to sleep: from now on signals have to be raised.
func (d *device) PrepareSleep() { (*Island)(d).stopAllPolling() }
