package bind

import (
	"context"

	"github.com/selvage-dev/selvage/internal/rule"
)

// Handle stands for a call of a guest's function that was posted to a host. All methods are safe for
// concurrent use. It completes when the fiber of the call has ended or could not be made; never, if the
// host does not run again before and is not closed.
type Handle struct {
	codec  *Codec
	cancel func(cause error) error
	done   chan struct{} // closed after values and err are set
	// values and err may be read when done is closed.
	values []Value
	err    error
}

// NewHandle makes a Handle for a host, which calls finish once, at the end of the call. Results must not
// refer to the engine, except those of kind Own. cancel posts the cancellation of the call.
func NewHandle(c *Codec, cancel func(cause error) error) (h *Handle, finish func(results []Value, err error)) {
	h = &Handle{codec: c, cancel: cancel, done: make(chan struct{})}
	return h, func(results []Value, err error) {
		h.values, h.err = results, err
		close(h.done)
	}
}

// Done is closed when the call has ended.
func (h *Handle) Done() <-chan struct{} { return h.done }

// Result waits for the end of the call and returns its results, as the Call of the host does; or the cause
// of ctx if ctx ends first, and then the call continues. Errors of a fiber that was cancelled or killed
// wrap scheduler.ErrCancelled or scheduler.ErrKilled. A function or an object among the results belongs
// to the host: pass it to its Start, and do not use it on another goroutine.
func (h *Handle) Result(ctx context.Context) ([]any, error) {
	if err := h.wait(ctx, "Result"); err != nil {
		return nil, err
	}
	return h.codec.Any(h.values)
}

// ResultInto is Result with variables for the results: into has a pointer for each. The function Result
// is shorter for one.
func (h *Handle) ResultInto(ctx context.Context, into ...any) error {
	if err := h.wait(ctx, "ResultInto"); err != nil {
		return err
	}
	return h.codec.Results(h.values, into)
}

func (h *Handle) wait(ctx context.Context, call string) error {
	if ctx == nil {
		panic("bind: " + call + " has no context; pass context.Background() for no limit: " + rule.Cite(rule.ValidArgument))
	}
	select {
	case <-h.done:
		return h.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Cancel posts the cancellation of the fiber. After its end it has no effect. Errors: scheduler.ErrStopped,
// scheduler.ErrInboxFull; then nothing was posted.
func (h *Handle) Cancel(cause error) error { return h.cancel(cause) }
