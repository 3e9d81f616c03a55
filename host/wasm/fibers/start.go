package fibers

import (
	"context"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Start posts a call of an exported function. Any goroutine may post one at any time. The Host makes a
// fiber for the call when it runs: in Serve, or in a Call, whose end kills the fiber. fn and args are
// those of Call; args are copied before Start returns. A failure is the Handle's error; it is not reported
// as unobserved. Errors: *bind.ValueError for an argument; scheduler.ErrInboxFull; scheduler.ErrStopped,
// if the Host is closed or shut down.
func (h *Host) Start(fn any, args ...any) (*bind.Handle, error) {
	if h.control.Down() {
		return nil, scheduler.ErrStopped
	}
	fn, limits := withoutLimits(fn)
	code, err := h.code(fn, args)
	if err != nil {
		return nil, err
	}
	s, name := h.rt.Fibers().Scheduler(), fn.(string)
	var task *stackful.Task // the owner's; nil until the fiber is made
	handle, finish := bind.NewHandle(&h.codec, func(cause error) error {
		return s.Inbox().Do(func() {
			if task != nil {
				_ = s.Cancel(task.ID(), cause) // an error means that it has ended
			}
		})
	})
	ended := func(result any, err error) {
		results, _ := result.([]bind.Value)
		finish(results, err)
	}
	spawn := func() {
		var err error
		if task, err = h.rt.Fibers().GoWith(name, code, scheduler.Options{Ended: ended, Group: h.part(name, limits)}); err != nil {
			finish(nil, err)
		}
	}
	if err := s.Inbox().Do(spawn); err != nil {
		return nil, err
	}
	return handle, nil
}

// Serve runs the calls that are posted with Start, and the fibers that they spawn, until ctx ends. It
// kills the fibers that still run and returns ctx.Err(); or until a quota of the Host is passed, and
// returns the *quota.Error. Calls that are posted afterwards wait for the next run. After Shutdown it returns
// scheduler.ErrStopped. Errors: also those of Run for the program.
func (h *Host) Serve(ctx context.Context) error {
	end, err := h.begin(ctx, "Serve")
	if err != nil {
		return err
	}
	defer end()
	if err := h.load("Serve"); err != nil {
		return err
	}
	given := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.control.Serving(stop)
	defer h.control.Serving(nil)
	sender := h.rt.Fibers().Scheduler().Inbox().NewSender()
	defer sender.Close()
	h.clear()
	err = h.drive(ctx)
	if h.control.Down() && given.Err() == nil {
		return scheduler.ErrStopped
	}
	if passed := (*ender)(h).passed(); passed != nil {
		return passed
	}
	return err
}
