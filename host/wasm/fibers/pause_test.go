package fibers_test

import (
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/internal/hosttest"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/quota"
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

// pausables are with and without a meter of steps.
func pausables(t *testing.T, grace time.Duration) iter.Seq[hosttest.Program] {
	return func(yield func(hosttest.Program) bool) {
		for _, q := range []quota.Limits{{}, {Steps: 1 << 40}} {
			h, ticks := pausable(t, grace, q)
			if !yield(hosttest.Program{Host: h, Chatter: "chatter", Quick: "now", Result: 7.0, Beats: ticks}) {
				return
			}
		}
	}
}

func TestAPausedHostExecutesNothingUntilItsResume(t *testing.T) {
	for p := range pausables(t, time.Hour) {
		hosttest.ExecutesNothingWhilePaused(t, p)
	}
}

func TestAHostThatDoesNotRunIsPausedForItsNextCall(t *testing.T) {
	for p := range pausables(t, 0) {
		hosttest.IsPausedForItsNextCall(t, p)
	}
}

func TestAShutdownLetsCallsFinishAndRefusesNewOnes(t *testing.T) {
	for p := range pausables(t, time.Hour) {
		hosttest.LetsCallsFinish(t, p)
	}
}

func TestAShutdownEndsWhatDoesNotFinishInTime(t *testing.T) {
	for p := range pausables(t, 10*time.Millisecond) {
		hosttest.EndsWhatDoesNotFinish(t, p)
	}
}

func TestAShutdownOfAHostThatDoesNotRun(t *testing.T) {
	for p := range pausables(t, 0) {
		hosttest.RunsWhatWasPosted(t, p)
	}
}

func TestAPauseWithoutAContextIsRefused(t *testing.T) {
	for p := range pausables(t, 0) {
		hosttest.RefusesNoContext(t, p.Host)
	}
}
