package scheduler

// Device does the operations that fibers submit. It is the owner's, and a shell around
// whatever does the work.
type Device interface {
	// Serve is called at every poll, after the commands from outside have been carried
	// out and before the next batch: it hands on what was submitted since, and cancels
	// what nobody waits for any more (Core.Cancellations). It may use the scheduler,
	// and must not block.
	Serve()
}

// Attend has the device served from now on, after those that came before it.
func (c *Core) Attend(d Device) { c.devices = append(c.devices, d) }

func (c *Core) serveDevices() {
	for _, d := range c.devices {
		d.Serve()
	}
}
