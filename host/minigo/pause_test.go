package minigo_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/internal/hosttest"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
)

const working = `package main

import ("os"; "time"; "runtime")

func Chatter() { for { os.Stdout.WriteString("x"); runtime.Gosched() } }
func Now() string { return "done" }
func Quick() string { time.Sleep(time.Millisecond); return "done" }
func Deaf() { defer func() { for { runtime.Gosched() } }(); time.Sleep(time.Hour) }
func main() { Chatter() }
`

func pausable(t *testing.T, out *hosttest.Beats, grace time.Duration, pausable bool) *minigo.Host {
	t.Helper()
	cfg := minigo.Config{Access: sandbox.Access{Stdout: out}, Pausable: pausable}
	cfg.Scheduler.Grace = grace
	h, err := minigo.New(compiled(t, "work.go", working), cfg)
	require.NoError(t, err)
	return h
}

func program(t *testing.T, grace time.Duration) hosttest.Program {
	out := new(hosttest.Beats)
	return hosttest.Program{
		Host: pausable(t, out, grace, false), Chatter: "Chatter", Quick: "Quick", Now: "Now", Deaf: "Deaf",
		Result: "done", Beats: &out.N,
	}
}

func TestAPausedHostExecutesNothingUntilItsResume(t *testing.T) {
	hosttest.ExecutesNothingWhilePaused(t, program(t, time.Hour))
}

func TestAHostThatDoesNotRunIsPausedForItsNextCall(t *testing.T) {
	hosttest.IsPausedForItsNextCall(t, program(t, 0))
}

func TestAPausedCallContinuesAfterTheResume(t *testing.T) {
	ctx := t.Context()
	h := pausable(t, new(hosttest.Beats), 0, false)
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
		ctx, out := t.Context(), new(hosttest.Beats)
		h := pausable(t, out, 10*time.Millisecond, pauses)
		running, stop := context.WithCancel(ctx)
		ran := make(chan error, 1)
		go func() { ran <- h.Run(running) }()
		for out.N.Load() == 0 {
			runtime.Gosched()
		}
		ended, now := context.WithCancel(ctx)
		now()
		if pauses {
			require.NoError(t, h.Pause(ctx))
			before := out.N.Load()
			require.NoError(t, h.Pause(ctx)) // the owner polls
			require.Equal(t, before, out.N.Load())
			hosttest.ShutDown(t, h)
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
	p := program(t, time.Hour)
	hosttest.LetsCallsFinish(t, p)
	require.ErrorIs(t, p.Host.(*minigo.Host).Run(t.Context()), scheduler.ErrStopped)
}

func TestAShutdownEndsWhatDoesNotFinishInTime(t *testing.T) {
	hosttest.EndsWhatDoesNotFinish(t, program(t, 10*time.Millisecond))
}

func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) {
	hosttest.RunsWhatWasPosted(t, program(t, 0))
	h := program(t, 0).Host
	require.NoError(t, h.Shutdown(t.Context())) // nothing was posted
	h.Close()
}

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	hosttest.RefusesNoContext(t, program(t, 0).Host)
}
