package control

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Control is the state of a Host.
type Control struct {
	Owner
	// Ensure makes the Group with all fibers of the Host, if SetGroup has not given it yet; the owner calls it.
	// It returns nil if a run has begun without one. nil: SetGroup comes first.
	Ensure func() *scheduler.Group
	// NoGroup is the error of Pause, Resume and Shutdown for a Host without a Group.
	NoGroup error
	// Grace is how long a shutdown waits for fibers that it has cancelled, and then for those that it
	// has killed; 0 is a second.
	Grace time.Duration
	// Drive runs the fibers until none is left, for a Shutdown of a Host that does not run. What the
	// fibers end with is not an error of Shutdown.
	Drive func(ctx context.Context)

	group  atomic.Pointer[scheduler.Group]
	down   atomic.Bool // Shutdown was called
	closed bool
	stop   func() // ends Serve; nil while it does not run
}

// SetGroup sets the Group with all fibers of the Host.
func (c *Control) SetGroup(g *scheduler.Group) { c.group.Store(g) }

// Begin makes the caller the only one that runs the Host, until it calls end. A second run would
// add fibers to the first: it comes from another goroutine, or from a Go function of a fiber. After
// Shutdown it is scheduler.ErrStopped. A grouped run has a Group with all fibers, if one can be made.
func (c *Control) Begin(ctx context.Context, call string, grouped bool) (end func(), err error) {
	MustHaveContext(ctx, c.Package, call)
	if !c.TakeAfter(func() {
		if grouped {
			c.ensure()
		}
	}) {
		if c.down.Load() {
			return nil, scheduler.ErrStopped
		}
		panic(c.Package + ": " + call + " on a Host that runs already; wait until that call has returned, or post with Start: " + rule.Cite(rule.OneOwner))
	}
	switch {
	case c.closed:
		c.Release()
		panic(c.Package + ": " + call + " on a Host that is closed; make a new one: " + rule.Cite(rule.Closed))
	case c.down.Load():
		c.Release()
		return nil, scheduler.ErrStopped
	}
	return func() {
		c.Release()
		c.CarryOut()
	}, nil
}

// Down returns whether Shutdown was called.
func (c *Control) Down() bool { return c.down.Load() }

// Close marks the Host as closed. It returns false if it is already.
func (c *Control) Close() (first bool) {
	first = !c.closed
	c.closed = true
	return first
}

// Closed returns whether Close was called; it is for the owner.
func (c *Control) Closed() bool { return c.closed }

// Serving has stop called to end Serve; nil when it has ended. The owner calls it.
func (c *Control) Serving(stop func()) { c.stop = stop }

// StopServing ends Serve, if it runs. The owner calls it.
func (c *Control) StopServing() {
	if c.stop != nil {
		c.stop()
	}
}
