package minigo

import (
	"context"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
)

// Start posts a call of an exported function. Any goroutine may post one at any time. The Host makes a
// goroutine of the program for it when it runs: in Serve, or in a Run or Call, whose end kills it.
// function, a string, and args are those of Call; args are copied before Start returns. A call that is
// cancelled runs its deferred calls where it next waits, and ends. Errors: *bind.ValueError;
// scheduler.ErrInboxFull; scheduler.ErrStopped after Shutdown.
func (h *Host) Start(function any, args ...any) (*bind.Handle, error) {
	if h.control.Down() {
		return nil, scheduler.ErrStopped
	}
	var results []bind.Value
	call, err := h.invocation(function, args, &results)
	if err != nil {
		return nil, err
	}
	handle, finish := bind.NewHandle(&h.codec, func(cause error) error { return h.machine.CancelCall(call, cause) })
	call.Ended = func(err error) { finish(results, err) }
	if err := h.machine.Post(call); err != nil {
		return nil, err
	}
	return handle, nil
}

// Serve runs the calls that are posted with Start, and the goroutines that they start, until ctx ends. It
// kills those that still run and returns ctx.Err(). It returns before if the program ends otherwise, as by
// os.Exit, by a panic of a goroutine that is not a call, or by a quota.
// After Shutdown it returns scheduler.ErrStopped.
func (h *Host) Serve(ctx context.Context) error {
	end, err := h.begin(ctx, "Serve", true)
	if err != nil {
		return err
	}
	defer end()
	defer h.endRunning()
	inner, stop := context.WithCancel(ctx)
	defer stop()
	h.control.Serving(stop)
	defer h.control.Serving(nil)
	if err = h.machine.Serve(inner); h.control.Down() && ctx.Err() == nil {
		return scheduler.ErrStopped
	}
	return err
}
