package fibers_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/internal/hosttest"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

const work = `
function chatter() while true do print("x"); fiber.yield() end end
function now() return "done" end
function quick() fiber.sleep(0.001) return "done" end
function deaf() while true do pcall(fiber.sleep, 1) end end`

func working(t *testing.T, grace time.Duration) hosttest.Program {
	t.Helper()
	out := new(hosttest.Beats)
	h := fibers.New(fibers.Config{Access: sandbox.Access{Stdout: out}, Runtime: stackful.Config{Config: scheduler.Config{Grace: grace}}})
	_, err := h.Run(context.Background(), strings.NewReader(work), "work.lua")
	require.NoError(t, err)
	return hosttest.Program{Host: h, Chatter: "chatter", Quick: "quick", Now: "now", Deaf: "deaf", Result: "done", Beats: &out.N}
}

func TestAPausedHostExecutesNothingUntilItsResume(t *testing.T) {
	hosttest.ExecutesNothingWhilePaused(t, working(t, time.Hour))
}

func TestAHostThatDoesNotRunIsPausedForItsNextCall(t *testing.T) {
	hosttest.IsPausedForItsNextCall(t, working(t, 0))
}

func TestAShutdownLetsCallsFinishAndRefusesNewOnes(t *testing.T) {
	p := working(t, time.Hour)
	hosttest.LetsCallsFinish(t, p)
	_, err := p.Host.(*fibers.Host).Run(t.Context(), strings.NewReader(work), "work.lua")
	require.ErrorIs(t, err, scheduler.ErrStopped)
}

// One that catches its cancellation is killed.
func TestAShutdownEndsWhatDoesNotFinishInTime(t *testing.T) {
	hosttest.EndsWhatDoesNotFinish(t, working(t, time.Hour))
}

func TestAShutdownSaysWhenTheHostDoesNotAnswer(t *testing.T) {
	h := working(t, time.Millisecond).Host.(*fibers.Host)
	hosttest.Serve(t, h)
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

func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) {
	p := working(t, 0)
	hosttest.RunsWhatWasPosted(t, p)
	require.ErrorIs(t, p.Host.Pause(t.Context()), scheduler.ErrStopped)
}

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	hosttest.RefusesNoContext(t, working(t, 0).Host)
}
