package scheduler

import "github.com/selvage-dev/selvage/fiber"

// Device does the operations that fibers submit. The owner calls it; it is the shell around
// whatever does the work.
type Device interface {
	// Serve is called at every poll, after the commands from outside and before the next
	// batch: it starts what was submitted since, and cancels those of its operations that
	// nothing waits for any more. Every device receives all abandoned tokens; the slice is
	// valid until Serve returns. Serve may use the scheduler, and must not block. No fiber is
	// current meanwhile.
	Serve(abandoned []fiber.Token)
}

// Collector is a Device whose operations end in other goroutines, which then wake the owner
// (Inbox.Notify).
type Collector interface {
	Device
	// Collect is called at every poll, before any device is served: it completes
	// (Ops.Complete) the operations that have ended since the last time.
	Collect()
}

// ExternalSource is a Device through which waits end that no fiber, operation or deadline of
// this scheduler would end: the ports of an island.
type ExternalSource interface {
	Device
	// Pending reports whether the source may yet bring something: what a fiber waits for, or
	// a new fiber. Then an idle scheduler is Waiting, neither in Deadlock nor Done. It is
	// called when no fiber is runnable.
	Pending() bool
	// SleepUntil is called before the loop sleeps until the instant, and returns the one at
	// which the source must be served at the latest. It must not use the scheduler.
	SleepUntil(until fiber.Time) fiber.Time
	// Ready reports whether there is something for the source to serve. A loop that spins
	// (SpinClock) calls it again and again, so other goroutines need not notify the owner
	// meanwhile.
	Ready() bool
	// PrepareSleep is called when the loop goes to sleep. From now on whatever comes has to
	// notify the owner, and the source itself handles what has come since the last Serve.
	PrepareSleep()
}
