package minigo

import (
	"context"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo/internal/vm"
)

// Handle stands for a call that was posted with Host.Start. All methods are safe for concurrent use.
type Handle struct {
	host *Host
	call *vm.Invocation
	done chan struct{} // closed after values and err are set
	// values and err may be read when done is closed.
	values []bind.Value
	err    error
}

// Start posts a call of an exported function. Any goroutine may post one at any time. The Host makes a
// goroutine of the program for it when it runs: in Serve, or in a Run or Call, whose end kills it. function
// and args are those of Call; args are copied before Start returns. Errors: *bind.ValueError;
// scheduler.ErrInboxFull.
func (h *Host) Start(function string, args ...any) (*Handle, error) {
	p := &Handle{host: h, done: make(chan struct{})}
	call, err := h.invocation(function, args, &p.values)
	if err != nil {
		return nil, err
	}
	p.call = call
	call.Ended = func(err error) {
		p.err = err
		close(p.done)
	}
	return p, h.machine.Post(call)
}

// Done is closed when the call has ended.
func (p *Handle) Done() <-chan struct{} { return p.done }

// Result waits for the end of the call and returns its results, as Call does; or the cause of ctx if
// ctx ends first, and then the call continues.
func (p *Handle) Result(ctx context.Context) ([]any, error) {
	if err := p.wait(ctx); err != nil {
		return nil, err
	}
	return p.host.codec.Any(p.values)
}

// ResultInto is Result with variables for the results, as CallInto; bind.Result is shorter for one.
func (p *Handle) ResultInto(ctx context.Context, into ...any) error {
	if err := p.wait(ctx); err != nil {
		return err
	}
	return p.host.codec.Results(p.values, into)
}

func (p *Handle) wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Cancel posts the cancellation of the goroutine: where it next waits, it runs its deferred calls and
// ends. Errors: scheduler.ErrInboxFull.
func (p *Handle) Cancel(cause error) error { return p.host.machine.CancelCall(p.call, cause) }

// Serve runs the calls that are posted with Start, and the goroutines that they start, until ctx ends. It
// kills those that still run and returns ctx.Err(). It returns before if the program ends otherwise, as by
// os.Exit, by a panic of a goroutine that is not a call, or by a quota.
func (h *Host) Serve(ctx context.Context) error { return h.machine.Serve(ctx) }
