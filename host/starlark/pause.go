package starlark

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
)

// Pause stops all fibers of the Host: when it returns nil, none executes code until Resume. Waits and their deadlines
// end as ever, and new calls are accepted; their fibers continue after the Resume. The end of the context of Run, Call or
// Serve, and of a quota, ends paused fibers too. A second Pause has no effect.
//
// Any goroutine may call Pause and Resume, but not a Go function that a program has called: that uses Group. Errors: the
// cause of ctx, if that ends before the owner has carried it out, which it may still do; scheduler.ErrStopped and
// scheduler.ErrInboxFull.
func (h *Host) Pause(ctx context.Context) error { return h.control.Pause(ctx) }

// Resume ends a Pause.
func (h *Host) Resume(ctx context.Context) error { return h.control.Resume(ctx) }

// Group has all fibers of the Host, for its owner: to limit its rate, or to weigh it (SetRate, SetWeight).
func (h *Host) Group() *scheduler.Group { return h.group }

// Shutdown ends the work of the Host. From now on Start, Run, Call and Serve refuse with scheduler.ErrStopped. What runs
// may finish, a paused Host too, which is resumed, until ctx ends; then its fibers are cancelled, with the cause of ctx,
// and those that have not ended after Config.Runtime.Grace (0 means a second, in real time) are killed. A Serve under
// way returns scheduler.ErrStopped when none is left. If fibers have not ended after one more such period, Shutdown
// returns a *scheduler.ShutdownError, which names them and their sites. Close the Host afterwards.
//
// Any goroutine may call Shutdown, as Pause. While no run is under way, it runs what is left itself.
func (h *Host) Shutdown(ctx context.Context) error { return h.control.Shutdown(ctx) }
