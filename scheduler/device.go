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

// Attend has the device served from now on, after those that came before it.
func (c *Core) Attend(d Device) { c.devices = append(c.devices, d) }

func (c *Core) serveDevices() {
	c.abandoned = c.io.Cancellations(c.abandoned[:0])
	for _, d := range c.devices {
		d.Serve(c.abandoned)
	}
}
