package control

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Control is the state of a Host.
type Control struct {
	// Package is the name of the host's package, for messages.
	Package string
	Core    *scheduler.Core
	// Ensure makes the Group with all fibers of the Host, if SetGroup has not given it yet; the owner calls it.
	// The error says why there can be none. nil: SetGroup comes first.
	Ensure func() error
	// Grace is how long a shutdown waits for fibers that it has cancelled, and then for those that it
	// has killed; 0 is a second.
	Grace time.Duration
	// Drive runs the fibers until none is left, for a Shutdown of a Host that does not run. What the
	// fibers end with is not an error of Shutdown.
	Drive func(ctx context.Context)

	group    atomic.Pointer[scheduler.Group]
	running  atomic.Int32
	controls atomic.Int32 // calls of other goroutines for which the owner has not done something yet
	down     atomic.Bool  // Shutdown was called
	closed   bool
	stop     func() // ends Serve; nil while it does not run
}

// What running says.
const (
	idle     = iota
	runs     // a call that Begin has begun, or Shutdown, has not returned
	serviced // another goroutine carries out commands, which takes no time
)

// SetGroup sets the Group with all fibers of the Host.
func (c *Control) SetGroup(g *scheduler.Group) { c.group.Store(g) }

// Begin makes the caller the only one that runs the Host, until it calls end. A second run would
// add fibers to the first: it comes from another goroutine, or from a Go function of a fiber. After
// Shutdown it is scheduler.ErrStopped.
func (c *Control) Begin(ctx context.Context, call string) (end func(), err error) {
	MustHaveContext(ctx, c.Package, call)
	if !c.take() {
		if c.down.Load() {
			return nil, scheduler.ErrStopped
		}
		panic(c.Package + ": " + call + " on a Host that runs already; wait until that call has returned, or post with Start: " + rule.Cite(rule.OneOwner))
	}
	switch {
	case c.closed:
		c.running.Store(idle)
		panic(c.Package + ": " + call + " on a Host that is closed; make a new one: " + rule.Cite(rule.Closed))
	case c.down.Load():
		c.running.Store(idle)
		return nil, scheduler.ErrStopped
	}
	return func() {
		c.running.Store(idle)
		c.carryOut()
	}, nil
}

// MustHaveContext panics if a call of a package has no context.
func MustHaveContext(ctx context.Context, pkg, call string) {
	if ctx == nil {
		panic(pkg + ": " + call + " has no context; pass context.Background() for no limit: " + rule.Cite(rule.ValidArgument))
	}
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

// take makes the caller the one that runs the Host, if none does.
func (c *Control) take() bool {
	for !c.running.CompareAndSwap(idle, runs) {
		if c.running.Load() == runs {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// carryOut carries out commands while no run is under way, if a goroutine waits for one. It comes after
// each post and after the end of each run: one of the two finds the command.
func (c *Control) carryOut() {
	for c.controls.Load() > 0 && c.Core.Inbox().Waiting() && c.running.CompareAndSwap(idle, serviced) {
		c.Core.Steps().DrainCommands()
		c.running.Store(idle)
	}
}

// Do has the owner carry out what another goroutine wants, and waits for that. While no run is under way
// there is no owner, and the caller carries it out. Errors: the cause of ctx, if that ends before the owner
// has carried it out, which it may still do; scheduler.ErrStopped and scheduler.ErrInboxFull.
func (c *Control) Do(ctx context.Context, call string, do func()) error {
	MustHaveContext(ctx, c.Package, call)
	c.controls.Add(1)
	defer c.controls.Add(-1)
	done := make(chan struct{})
	err := c.Core.Inbox().Do(func() {
		do()
		close(done)
	})
	if err != nil {
		return err
	}
	c.carryOut()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
