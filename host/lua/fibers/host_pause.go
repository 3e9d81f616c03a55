package fibers

import (
	"context"
	"time"

	"github.com/selvage-dev/selvage/host/internal/control"
	"github.com/selvage-dev/selvage/scheduler"
)

// Pause stops all fibers of the Host: when it returns nil, none executes Lua code until Resume. Waits
// and their deadlines end as ever, and new calls are accepted; their fibers continue after the Resume.
// The end of the context of Run, Call or Serve, and of a quota, ends paused fibers too. Islands have
// Hosts of their own, which continue. A second Pause has no effect.
//
// Any goroutine may call Pause and Resume, but not a Go function that Lua has called: that uses
// Group. Errors: the cause of ctx, if that ends before the owner has carried it out, which it may
// still do; scheduler.ErrStopped and scheduler.ErrInboxFull.
func (h *Host) Pause(ctx context.Context) error {
	return h.loop.owner.Do(ctx, "Pause", h.env.group.Pause)
}

// Resume ends a Pause.
func (h *Host) Resume(ctx context.Context) error {
	return h.loop.owner.Do(ctx, "Resume", h.env.group.Resume)
}

// Group has all fibers of the Host, for its owner: to limit its rate, or to weigh it among the Hosts of a
// Shared (SetRate, SetWeight).
func (h *Host) Group() *scheduler.Group { return h.env.group }

// Shutdown ends the work of the Host. From now on Start, Run, Call and Serve refuse with
// scheduler.ErrStopped. What runs may finish, a paused Host too, which is resumed, until ctx ends; then its
// fibers are cancelled, with the cause of ctx, and those that have not ended after Config.Runtime.Grace
// (0 means a second, in real time) are killed. A Serve under way returns scheduler.ErrStopped when none is
// left. If fibers have not ended after one more such period, Shutdown returns a
// *scheduler.ShutdownError, which names them and their sites. Close the Host afterwards.
//
// Any goroutine may call Shutdown, as Pause. While no run is under way, it runs what is left itself.
func (h *Host) Shutdown(ctx context.Context) error {
	control.MustHaveContext(ctx, "fibers", "Shutdown")
	h.down.Store(true)
	grace := h.env.cfg.Runtime.Grace
	if grace <= 0 {
		grace = control.DefaultGrace
	}
	if h.shared != nil {
		return h.shared.shutdown(ctx, h, grace)
	}
	if !h.loop.owner.Take() {
		return h.endWork(ctx, grace)
	}
	defer h.loop.owner.Release()
	if h.closed {
		return nil
	}
	sender, ended := h.env.rt.Scheduler().Inbox().NewSender(), make(chan error)
	go func() {
		err := h.endWork(ctx, grace)
		sender.Close()
		ended <- err
	}()
	running, stop := context.WithCancel(context.Background())
	defer stop()
	h.env.stopServing = stop
	_ = h.drive(running) // what the fibers end with is not an error of Shutdown
	h.env.stopServing = nil
	return <-ended
}

// endWork ends the fibers, while another goroutine runs them, and then its run.
func (h *Host) endWork(ctx context.Context, grace time.Duration) error {
	err := h.env.group.Shutdown(ctx, func() <-chan time.Time { return time.After(grace) })
	_ = h.env.rt.Scheduler().Inbox().Do(func() { // an error means that it is closed
		if h.env.stopServing != nil {
			h.env.stopServing()
		}
	})
	return err
}
