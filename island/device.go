package island

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// device is an Island as its scheduler sees it. Its methods are for the scheduler only, and kept
// off Island so that a program cannot call them in the middle of a slice.
type device Island

var _ scheduler.ExternalSource = (*device)(nil)

// Serve handles everything that other islands have left here. It submits no operation of its own,
// so the abandoned tokens are of no interest: an answer to an abandoned request is dropped when it
// arrives.
//
// The order is commands and signals until none is left, then the polled links, the bridges, and the
// probes last. A deadlock may be recorded at any moment by another owner; from then on no handler
// may wake a fiber, because the published report says how they wait.
func (d *device) Serve([]fiber.Token) {
	i := (*Island)(d)
	i.prober.StartTurn()
	i.retract()
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

// Pending tells whether others may still bring something: fibers to run, or what fibers here
// wait for. While a probe examines the island it is false, so that the scheduler gives the verdict
// that would hold if no port could bring anything.
func (d *device) Pending() bool {
	i := (*Island)(d)
	if i.stopping || i.prober.ignorePorts || i.deadlocked() {
		return false
	}
	return i.servesOthers() || i.portAwaited() || i.bridgeBusy()
}

// SleepUntil is when the island wants to be served at the latest: for a retransmission of a bridge,
// or to start a probe. A host that never calls it is served only when something arrives, so it has
// to call Probe itself.
func (d *device) SleepUntil(until fiber.Time) fiber.Time {
	i := (*Island)(d)
	i.parks = true
	for _, b := range i.bridges {
		until = min(until, b.Next())
	}
	return i.nextProbe(until)
}

// Ready tells a loop that spins for a while whether there is something to serve. It asks the polled
// links only; everything else notifies the inbox, which the loop looks at as well.
func (d *device) Ready() bool {
	i := (*Island)(d)
	return i.pollPending() && !i.deadlocked()
}

// PrepareSleep is called when the loop goes to sleep: from now on signals have to be raised. The
// links are polled again when their next signal has been handled.
func (d *device) PrepareSleep() { (*Island)(d).stopAllPolling() }
