package minigo

import (
	"context"
	"errors"

	"github.com/selvage-dev/selvage/scheduler"
)

// begin makes the caller the one that runs the Host. A closed Host runs nothing. A grouped run can be paused,
// but after a Run without a Group.
func (h *Host) begin(ctx context.Context, call string, grouped bool) (end func(), err error) {
	if h.control.Closed() {
		return nil, scheduler.ErrStopped
	}
	return h.control.Begin(ctx, call, grouped)
}

// ErrNotPausable is what Pause, Resume and Shutdown return for a Run under way without Config.Pausable and
// Config.Quota.
var ErrNotPausable = errors.New("minigo: this Run cannot be paused and shut down; set Config.Pausable, or end its context")

// Pause stops all goroutines of the program: when it returns nil, none executes until Resume. Waits
// and their deadlines end as ever, and new calls are accepted; they continue after the Resume.
// The end of the context of Run, Call or Serve, and of a quota, ends a paused program too. A second Pause has no
// effect.
//
// Any goroutine may call Pause and Resume, but not a Go function that the program has called. Errors: the cause of
// ctx, if that ends before the owner has carried it out, which it may still do; ErrNotPausable;
// scheduler.ErrStopped and scheduler.ErrInboxFull.
func (h *Host) Pause(ctx context.Context) error { return h.control.Pause(ctx) }

// Resume ends a Pause.
func (h *Host) Resume(ctx context.Context) error { return h.control.Resume(ctx) }

// Shutdown ends the work of the Host. From now on Start, Run, Call and Serve refuse with
// scheduler.ErrStopped. What runs may finish, a paused program too, which is resumed, until ctx ends; then its
// goroutines are cancelled, with the cause of ctx, and those that have not ended after Config.Scheduler.Grace
// (0 means a second, in real time) are killed. A Serve under way returns scheduler.ErrStopped when none is
// left. If goroutines have not ended after one more such period, Shutdown returns a
// *scheduler.ShutdownError, which names their sites; for a Run, ErrNotPausable. Close the Host afterwards.
//
// Any goroutine may call Shutdown, as Pause. While no run is under way, it runs what is left itself.
func (h *Host) Shutdown(ctx context.Context) error { return h.control.Shutdown(ctx) }
