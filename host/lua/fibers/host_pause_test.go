package fibers_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// lines counts what is written.
type lines struct{ n atomic.Int64 }

func (l *lines) Write(p []byte) (int, error) {
	l.n.Add(1)
	return len(p), nil
}

const work = `
function chatter() while true do print("x"); fiber.yield() end end
function now() return "done" end
function quick() fiber.sleep(0.001) return "done" end
function deaf() while true do pcall(fiber.sleep, 1) end end`

// serving is a Host that serves on another goroutine, until the end of the test.
func serving(t *testing.T, out *lines, grace time.Duration) (h *fibers.Host, served chan error) {
	t.Helper()
	h = fibers.New(fibers.Config{Access: sandbox.Access{Stdout: out}, Runtime: stackful.Config{Config: scheduler.Config{Grace: grace}}})
	_, err := h.Run(context.Background(), strings.NewReader(work), "work.lua")
	require.NoError(t, err)
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
	ctx, out := context.Background(), new(lines)
	h, _ := serving(t, out, time.Hour)
	_, err := h.Start("chatter")
	require.NoError(t, err)
	for out.n.Load() == 0 {
		runtime.Gosched()
	}
	require.NoError(t, h.Pause(ctx))
	before := out.n.Load()
	call, err := h.Start("now")
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
	ctx := context.Background()
	h := fibers.New(fibers.Config{})
	defer h.Close()
	_, err := h.Run(ctx, strings.NewReader(work), "work.lua")
	require.NoError(t, err)
	require.NoError(t, h.Pause(ctx))
	require.True(t, h.Group().Paused())
	short, stop := context.WithCancel(ctx)
	stop()
	_, err = h.Call(short, "quick")
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, h.Resume(ctx))
	values, err := h.Call(ctx, "quick")
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
}

func TestAShutdownLetsCallsFinishAndRefusesNewOnes(t *testing.T) {
	ctx := context.Background()
	h, served := serving(t, new(lines), time.Hour)
	require.NoError(t, h.Pause(ctx))
	call, err := h.Start("quick")
	require.NoError(t, err)
	require.NoError(t, h.Shutdown(ctx))
	values, err := call.Result(ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
	require.ErrorIs(t, <-served, scheduler.ErrStopped)
	_, err = h.Start("quick")
	require.ErrorIs(t, err, scheduler.ErrStopped)
	_, err = h.Call(ctx, "quick")
	require.ErrorIs(t, err, scheduler.ErrStopped)
	require.ErrorIs(t, h.Serve(ctx), scheduler.ErrStopped)
	_, err = h.Run(ctx, strings.NewReader(work), "work.lua")
	require.ErrorIs(t, err, scheduler.ErrStopped)
}

// One is cancelled, and one that catches its cancellation is killed.
func TestAShutdownEndsWhatDoesNotFinishInTime(t *testing.T) {
	h, served := serving(t, new(lines), time.Hour)
	chatter, err := h.Start("chatter")
	require.NoError(t, err)
	deaf, err := h.Start("deaf")
	require.NoError(t, err)
	ended, stop := context.WithCancel(context.Background())
	stop()
	require.NoError(t, h.Shutdown(ended))
	for _, call := range []*bind.Handle{chatter, deaf} {
		_, err := call.Result(context.Background())
		require.Error(t, err)
	}
	require.ErrorIs(t, <-served, scheduler.ErrStopped)
}

func TestAShutdownSaysWhenTheHostDoesNotAnswer(t *testing.T) {
	h, _ := serving(t, new(lines), time.Millisecond)
	began, release := make(chan struct{}), make(chan struct{})
	require.NoError(t, h.Pause(context.Background()))
	require.NoError(t, h.Resume(context.Background()))
	call, err := h.Start(h.State().Base().NewFunction(func(*glua.LState) int {
		close(began)
		<-release
		return 0
	}))
	require.NoError(t, err)
	<-began
	ended, stop := context.WithCancel(context.Background())
	stop()
	var left *scheduler.ShutdownError
	require.ErrorAs(t, h.Shutdown(ended), &left)
	close(release)
	<-call.Done()
}

// A Host that does not run runs what was posted itself.
func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) {
	ctx := context.Background()
	h := fibers.New(fibers.Config{})
	_, err := h.Run(ctx, strings.NewReader(work), "work.lua")
	require.NoError(t, err)
	call, err := h.Start("quick")
	require.NoError(t, err)
	require.NoError(t, h.Shutdown(ctx))
	values, err := call.Result(ctx)
	require.NoError(t, err)
	require.Equal(t, []any{"done"}, values)
	h.Close()
	require.NoError(t, h.Shutdown(ctx))
	require.ErrorIs(t, h.Pause(ctx), scheduler.ErrStopped)
}

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	h := fibers.New(fibers.Config{})
	defer h.Close()
	for _, call := range []func(context.Context) error{h.Pause, h.Resume, h.Shutdown} {
		require.Panics(t, func() { _ = call(nil) })
	}
}
