package fibers_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

const pausing = `
	import "env" "tick" tick () ()
	func chatter () export loop call tick br 0 end end
	func now () (i32) export i32.const 7 end`

func pausable(t *testing.T, grace time.Duration, q quota.Limits) (*fibers.Host, *atomic.Int64) {
	t.Helper()
	p, err := fibers.Compile("p.wasm", asm.Assemble(pausing), wasm.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	cfg := fibers.Config{Program: p, Quota: q}
	cfg.Wasm.Runtime.Grace = grace
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	ticks := new(atomic.Int64)
	require.NoError(t, h.Bind("env.tick", bind.Must(bind.New(func() { ticks.Add(1) }))))
	return h, ticks
}

func TestAPausedHostExecutesNothingUntilItsResume(t *testing.T) {
	for _, q := range []quota.Limits{{}, {Steps: 1 << 40}} {
		ctx := t.Context()
		h, ticks := pausable(t, 10*time.Millisecond, q)
		served := make(chan error, 1)
		go func() { served <- h.Serve(ctx) }()
		chatter, err := h.Start("chatter")
		require.NoError(t, err)
		for ticks.Load() == 0 {
			runtime.Gosched()
		}
		require.NoError(t, h.Pause(ctx))
		before := ticks.Load()
		for range 3 {
			require.NoError(t, h.Pause(ctx)) // the owner polls
		}
		require.Equal(t, before, ticks.Load())
		require.NoError(t, h.Resume(ctx))
		for ticks.Load() == before {
			runtime.Gosched()
		}
		ended, stop := context.WithCancel(ctx)
		stop()
		require.NoError(t, h.Shutdown(ended))
		_, err = chatter.Result(ctx)
		require.Error(t, err)
		require.ErrorIs(t, <-served, scheduler.ErrStopped)
		_, err = h.Start("now")
		require.ErrorIs(t, err, scheduler.ErrStopped)
		_, err = h.Call(ctx, "now")
		require.ErrorIs(t, err, scheduler.ErrStopped)
		require.ErrorIs(t, h.Serve(ctx), scheduler.ErrStopped)
		h.Close()
	}
}

func TestAHostThatDoesNotRunIsPausedForItsNextRun(t *testing.T) {
	ctx := t.Context()
	h, _ := pausable(t, 0, quota.Limits{})
	defer h.Close()
	require.NoError(t, h.Pause(ctx))
	require.True(t, h.Group().Paused())
	short, stop := context.WithCancel(ctx)
	stop()
	_, err := h.Call(short, "now")
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, h.Resume(ctx))
	values, err := h.Call(ctx, "now")
	require.NoError(t, err)
	require.Equal(t, []any{7.0}, values)
}

// A Host that does not run runs what was posted itself.
func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) {
	ctx := t.Context()
	h, _ := pausable(t, 0, quota.Limits{})
	_, err := h.Call(ctx, "now")
	require.NoError(t, err)
	call, err := h.Start("now")
	require.NoError(t, err)
	require.NoError(t, h.Shutdown(ctx))
	values, err := call.Result(ctx)
	require.NoError(t, err)
	require.Equal(t, []any{7.0}, values)
	h.Close()
	require.NoError(t, h.Shutdown(ctx))
}

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	h, _ := pausable(t, 0, quota.Limits{})
	defer h.Close()
	for _, call := range []func(context.Context) error{h.Pause, h.Resume, h.Shutdown, h.Serve} {
		require.Panics(t, func() { _ = call(nil) })
	}
}
