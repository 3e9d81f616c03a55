package starlark_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/internal/hosttest"
	"github.com/selvage-dev/selvage/host/starlark"
)

const pausing = `
def chatter():
    while True:
        tick()
        fiber.yield_now()
def quick():
    fiber.sleep(0.001)
    return 7
def now():
    return 7
`

func pausable(t *testing.T, grace time.Duration) hosttest.Program {
	t.Helper()
	cfg := starlark.Config{}
	program, err := starlark.Compile("p.star", []byte(pausing), cfg, "tick")
	require.NoError(t, err)
	cfg.Program, cfg.Runtime.Grace = program, grace
	h, err := starlark.New(cfg)
	require.NoError(t, err)
	ticks := new(atomic.Int64)
	require.NoError(t, h.Bind("tick", bind.Must(bind.New(func() { ticks.Add(1) }))))
	return hosttest.Program{Host: h, Chatter: "chatter", Quick: "quick", Now: "now", Result: 7.0, Beats: ticks}
}

func TestAPausedHostExecutesNothingUntilItsResume(t *testing.T) {
	hosttest.ExecutesNothingWhilePaused(t, pausable(t, time.Hour))
}

func TestAHostThatDoesNotRunIsPausedForItsNextCall(t *testing.T) {
	hosttest.IsPausedForItsNextCall(t, pausable(t, 0))
}

func TestAShutdownLetsCallsFinishAndRefusesNewOnes(t *testing.T) {
	hosttest.LetsCallsFinish(t, pausable(t, time.Hour))
}

func TestAShutdownEndsWhatDoesNotFinishInTime(t *testing.T) {
	hosttest.EndsWhatDoesNotFinish(t, pausable(t, 10*time.Millisecond))
}

func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) { hosttest.RunsWhatWasPosted(t, pausable(t, 0)) }

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	hosttest.RefusesNoContext(t, pausable(t, 0).Host)
}
