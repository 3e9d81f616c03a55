package hosttest

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/scheduler"
)

// Host is what the hosts have in common.
type Host interface {
	Call(ctx context.Context, function any, args ...any) ([]any, error)
	Start(function any, args ...any) (*bind.Handle, error)
	Serve(ctx context.Context) error
	Pause(ctx context.Context) error
	Resume(ctx context.Context) error
	Shutdown(ctx context.Context) error
	Close()
}

// Program is a fresh Host with functions of the guest.
type Program struct {
	Host    Host
	Chatter string        // calls Beats.Beat and yields, without end
	Quick   string        // waits for a short time, and returns Result
	Now     string        // returns Result, beside Chatter; "" if calls take turns
	Deaf    string        // goes on after its cancellation; "" if the engine has no way to
	Result  any           // what Quick and Now return
	Beats   *atomic.Int64 // counts what Chatter does
}

// Beats counts what is written.
type Beats struct{ N atomic.Int64 }

// Write counts a call.
func (b *Beats) Write(p []byte) (int, error) {
	b.N.Add(1)
	return len(p), nil
}

// Serve has a Host serve on another goroutine, until the end of the test.
func Serve(t *testing.T, h Host) (served chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	served = make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		served <- h.Serve(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		h.Close()
	})
	return served
}

// AwaitMore waits until a counter has grown.
func AwaitMore(n *atomic.Int64) {
	for before := n.Load(); n.Load() == before; {
		runtime.Gosched()
	}
}

// ExecutesNothingWhilePaused judges Pause and Resume of a Host that serves.
func ExecutesNothingWhilePaused(t *testing.T, p Program) {
	ctx, h := t.Context(), p.Host
	Serve(t, h)
	_, err := h.Start(p.Chatter)
	require.NoError(t, err)
	AwaitMore(p.Beats)
	require.NoError(t, h.Pause(ctx))
	before := p.Beats.Load()
	var call *bind.Handle
	if p.Now != "" {
		call, err = h.Start(p.Now)
		require.NoError(t, err)
	}
	for range 3 {
		require.NoError(t, h.Pause(ctx)) // the owner polls
	}
	require.Equal(t, before, p.Beats.Load())
	require.NoError(t, h.Resume(ctx))
	AwaitMore(p.Beats)
	if call != nil {
		p.returns(t, call)
	}
}

// IsPausedForItsNextCall judges Pause and Resume of a Host that does not run.
func IsPausedForItsNextCall(t *testing.T, p Program) {
	ctx, h := t.Context(), p.Host
	defer h.Close()
	require.NoError(t, h.Pause(ctx))
	short, stop := context.WithCancel(ctx)
	stop()
	_, err := h.Call(short, p.Quick)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, h.Resume(ctx))
	values, err := h.Call(ctx, p.Quick)
	require.NoError(t, err)
	require.Equal(t, []any{p.Result}, values)
}

// LetsCallsFinish judges Shutdown with calls that end in time.
func LetsCallsFinish(t *testing.T, p Program) {
	ctx, h := t.Context(), p.Host
	served := Serve(t, h)
	require.NoError(t, h.Pause(ctx))
	call, err := h.Start(p.Quick)
	require.NoError(t, err)
	require.NoError(t, h.Shutdown(ctx))
	p.returns(t, call)
	p.isDown(t, served)
}

// EndsWhatDoesNotFinish judges Shutdown with calls that do not end: one is cancelled, and one that goes on
// is killed. On a slow machine a grace period may be too short: the next Shutdown finds what is left.
func EndsWhatDoesNotFinish(t *testing.T, p Program) {
	h := p.Host
	served := Serve(t, h)
	var calls []*bind.Handle
	for _, name := range []string{p.Chatter, p.Deaf} {
		if name != "" {
			call, err := h.Start(name)
			require.NoError(t, err)
			calls = append(calls, call)
		}
	}
	ShutDown(t, h)
	for _, call := range calls {
		_, err := call.Result(t.Context())
		require.Error(t, err)
	}
	p.isDown(t, served)
}

// ShutDown ends a Host without waiting for its work. A Shutdown that names fibers is repeated: how long they take to
// end after their grace is the machine's.
func ShutDown(t *testing.T, h Host) {
	t.Helper()
	ended, stop := context.WithCancel(t.Context())
	stop()
	err := h.Shutdown(ended)
	for err != nil {
		require.ErrorAs(t, err, new(*scheduler.ShutdownError))
		err = h.Shutdown(ended)
	}
}

// RunsWhatWasPosted judges Shutdown of a Host that does not run.
func RunsWhatWasPosted(t *testing.T, p Program) {
	ctx, h := t.Context(), p.Host
	call, err := h.Start(p.Quick)
	require.NoError(t, err)
	require.NoError(t, h.Shutdown(ctx))
	p.returns(t, call)
	h.Close()
	require.NoError(t, h.Shutdown(ctx))
}

// RefusesNoContext judges a nil context.
func RefusesNoContext(t *testing.T, h Host) {
	defer h.Close()
	for _, call := range []func(context.Context) error{h.Pause, h.Resume, h.Shutdown, h.Serve} {
		require.Panics(t, func() { _ = call(nil) })
	}
}

func (p Program) returns(t *testing.T, call *bind.Handle) {
	t.Helper()
	values, err := call.Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{p.Result}, values)
}

// isDown judges what a Host does after Shutdown.
func (p Program) isDown(t *testing.T, served chan error) {
	t.Helper()
	require.ErrorIs(t, <-served, scheduler.ErrStopped)
	_, started := p.Host.Start(p.Quick)
	_, called := p.Host.Call(t.Context(), p.Quick)
	for _, err := range []error{started, called, p.Host.Serve(t.Context())} {
		require.True(t, errors.Is(err, scheduler.ErrStopped), "%v", err)
	}
}
