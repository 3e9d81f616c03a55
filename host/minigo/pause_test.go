package minigo_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

// lines counts what is written.
type lines struct{ n atomic.Int64 }

func (l *lines) Write(p []byte) (int, error) {
	l.n.Add(1)
	return len(p), nil
}

const working = `package main

import ("os"; "time"; "runtime")

func Chatter() { for { os.Stdout.WriteString("x"); runtime.Gosched() } }
func Now() string { return "done" }
func Quick() string { time.Sleep(time.Millisecond); return "done" }
func Deaf() { defer func() { for { runtime.Gosched() } }(); time.Sleep(time.Hour) }
func main() { Chatter() }
`

func pausable(t *testing.T, out *lines, grace time.Duration, pausable bool) *minigo.Host {
	t.Helper()
	cfg := minigo.Config{Access: sandbox.Access{Stdout: out}, Pausable: pausable}
	cfg.Scheduler.Grace = grace
	h, err := minigo.New(compiled(t, "work.go", working), cfg)
	require.NoError(t, err)
	return h
}

// serving is a Host that serves on another goroutine, until the end of the test.
func serving(t *testing.T, out *lines, grace time.Duration) (h *minigo.Host, served chan error) {
	t.Helper()
	h = pausable(t, out, grace, false)
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
	return h, served
}

func TestAPausedHostExecutesNothingUntilItsResume(t *testing.T) {
	ctx, out := t.Context(), new(lines)
	h, _ := serving(t, out, time.Hour)
	_, err := h.Start("Chatter")
	require.NoError(t, err)
	for out.n.Load() == 0 {
		runtime.Gosched()
	}
	require.NoError(t, h.Pause(ctx))
	before := out.n.Load()
	call, err := h.Start("Now")
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, h.Pause(ctx)) // the owner polls
	}
	require.Equal(t, before, out.n.Load())
	require.NoError(t, h.Resume(ctx))
	values, err := call.Result(ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
}

func TestAHostThatDoesNotRunIsPausedForItsNextRun(t *testing.T) {
	ctx := t.Context()
	h := pausable(t, new(lines), 0, false)
	defer h.Close()
	require.NoError(t, h.Pause(ctx))
	short, stop := context.WithCancel(ctx)
	stop()
	_, err := h.Call(short, "Quick")
	require.ErrorIs(t, err, context.Canceled)
}

func TestAPausedCallContinuesAfterTheResume(t *testing.T) {
	ctx := t.Context()
	h := pausable(t, new(lines), 0, false)
	defer h.Close()
	_, err := h.Call(ctx, "Now")
	require.NoError(t, err)
	require.NoError(t, h.Pause(ctx))
	short, stop := context.WithCancel(ctx)
	stop()
	_, err = h.Call(short, "Quick")
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, h.Resume(ctx))
	values, err := h.Call(ctx, "Quick")
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
}

func TestARunIsPausedAndShutDownIfItIsPausable(t *testing.T) {
	for _, pauses := range []bool{true, false} {
		ctx, out := t.Context(), new(lines)
		h := pausable(t, out, 10*time.Millisecond, pauses)
		running, stop := context.WithCancel(ctx)
		ran := make(chan error, 1)
		go func() { ran <- h.Run(running) }()
		for out.n.Load() == 0 {
			runtime.Gosched()
		}
		ended, now := context.WithCancel(ctx)
		now()
		if pauses {
			require.NoError(t, h.Pause(ctx))
			before := out.n.Load()
			require.NoError(t, h.Pause(ctx)) // the owner polls
			require.Equal(t, before, out.n.Load())
			require.NoError(t, h.Shutdown(ended))
		} else {
			require.ErrorIs(t, h.Pause(ctx), minigo.ErrNotPausable)
			require.ErrorIs(t, h.Shutdown(ended), minigo.ErrNotPausable)
			stop()
		}
		require.Error(t, <-ran)
		stop()
		require.ErrorIs(t, h.Run(ctx), scheduler.ErrStopped)
		h.Close()
	}
}

func TestAShutdownLetsCallsFinishAndRefusesNewOnes(t *testing.T) {
	ctx := t.Context()
	h, served := serving(t, new(lines), time.Hour)
	require.NoError(t, h.Pause(ctx))
	call, err := h.Start("Quick")
	require.NoError(t, err)
	require.NoError(t, h.Shutdown(ctx))
	values, err := call.Result(ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
	require.ErrorIs(t, <-served, scheduler.ErrStopped)
	_, err = h.Start("Quick")
	require.ErrorIs(t, err, scheduler.ErrStopped)
	_, err = h.Call(ctx, "Quick")
	require.ErrorIs(t, err, scheduler.ErrStopped)
	require.ErrorIs(t, h.Serve(ctx), scheduler.ErrStopped)
	require.ErrorIs(t, h.Run(ctx), scheduler.ErrStopped)
}

// One is cancelled, and one whose deferred calls do not end is killed.
func TestAShutdownEndsWhatDoesNotFinishInTime(t *testing.T) {
	h, served := serving(t, new(lines), 10*time.Millisecond)
	chatter, err := h.Start("Chatter")
	require.NoError(t, err)
	deaf, err := h.Start("Deaf")
	require.NoError(t, err)
	ended, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, h.Shutdown(ended))
	for _, call := range []*bind.Handle{chatter, deaf} {
		_, err := call.Result(t.Context())
		require.Error(t, err)
	}
	require.ErrorIs(t, <-served, scheduler.ErrStopped)
}

// A Host that does not run runs what was posted itself.
func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) {
	ctx := t.Context()
	for _, posted := range []bool{true, false} {
		h := pausable(t, new(lines), 0, false)
		var call *bind.Handle
		if posted {
			var err error
			call, err = h.Start("Quick")
			require.NoError(t, err)
		}
		require.NoError(t, h.Shutdown(ctx))
		if posted {
			values, err := call.Result(ctx)
			require.NoError(t, err)
			require.Equal(t, []any{"done"}, values)
		}
		h.Close()
		require.NoError(t, h.Shutdown(ctx))
	}
}

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	h := pausable(t, new(lines), 0, false)
	defer h.Close()
	for _, call := range []func(context.Context) error{h.Pause, h.Resume, h.Shutdown, h.Run, h.Serve} {
		require.Panics(t, func() { _ = call(nil) })
	}
}
