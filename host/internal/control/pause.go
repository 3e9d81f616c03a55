package control

import (
	"context"
	"runtime"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
)

// Pause stops all fibers of the Group, until Resume. Errors: those of Do, and NoGroup.
func (c *Control) Pause(ctx context.Context) error {
	return c.onGroup(ctx, "Pause", (*scheduler.Group).Pause)
}

// Resume ends a Pause.
func (c *Control) Resume(ctx context.Context) error {
	return c.onGroup(ctx, "Resume", (*scheduler.Group).Resume)
}

func (c *Control) onGroup(ctx context.Context, call string, do func(*scheduler.Group)) error {
	var missing error
	err := c.Do(ctx, call, func() {
		if c.ensure() {
			do(c.group.Load())
		} else {
			missing = c.NoGroup
		}
	})
	if err != nil {
		return err
	}
	return missing
}

// ensure makes the Group. The owner calls it.
func (c *Control) ensure() bool {
	if c.group.Load() == nil && c.Ensure != nil && !c.closed {
		c.group.Store(c.Ensure())
	}
	return c.group.Load() != nil
}

// DefaultGrace is a Grace of 0.
const DefaultGrace = time.Second

// Shutdown ends the work of the Host: Begin refuses from now on; what runs may finish, resumed if it was paused,
// until ctx ends, and is cancelled then, and killed after the grace period. It returns a
// *scheduler.ShutdownError for fibers that have not ended after one more, and NoGroup.
func (c *Control) Shutdown(ctx context.Context) error {
	MustHaveContext(ctx, c.Package, "Shutdown")
	c.down.Store(true)
	if !c.TakeAfter(func() { c.ensure() }) {
		return c.endWork(ctx)
	}
	defer c.Release()
	switch {
	case c.closed:
		return nil
	case c.group.Load() == nil:
		return c.NoGroup
	}
	sender, ended := c.Core.Inbox().NewSender(), make(chan error)
	go func() {
		err := c.endWork(ctx)
		sender.Close()
		ended <- err
	}()
	running, stop := context.WithCancel(context.Background())
	defer stop()
	c.Serving(stop)
	c.Drive(running)
	c.Serving(nil)
	for { // the run may have ended before the commands of endWork came
		select {
		case err := <-ended:
			return err
		default:
			c.Core.Steps().DrainCommands()
			runtime.Gosched()
		}
	}
}

// endWork ends the fibers, while another goroutine runs them, and then its run.
func (c *Control) endWork(ctx context.Context) error {
	group := c.group.Load()
	if group == nil {
		return c.NoGroup
	}
	grace := c.Grace
	if grace <= 0 {
		grace = DefaultGrace
	}
	err := group.Shutdown(ctx, func() <-chan time.Time { return time.After(grace) })
	_ = c.Core.Inbox().Do(c.StopServing) // an error means that it is closed
	return err
}
