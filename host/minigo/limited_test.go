package minigo_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

const limitable = `package main

import ("fmt"; "runtime"; "time")

var kept int

func Loop(n int) int { for i := 0; i < n; i++ { kept++ }; return n }
func Stubborn() { for { func() { defer func() { recover(); kept-- }(); Loop(1000) }() } }
func Family(n int) { for range n { go Forever() }; select {} }
func Forever() { for { runtime.Gosched() } }
func Print(n int) int { defer func() { recover(); fmt.Print("deferred") }(); for range n { fmt.Print("0123456789"); kept++ }; return kept }
func Sleep(d time.Duration) { time.Sleep(d) }
func Alarms(n int) { for range n { time.NewTimer(time.Hour) } }
func Orphan() { go Loop(1 << 40) }
func Kept() int { return kept }
func main() {}
`

// passes is the quota that a call has passed.
func passes(t *testing.T, err error, r quota.Resource) *quota.Error {
	t.Helper()
	var passed *quota.Error
	require.ErrorAs(t, err, &passed)
	require.Equal(t, r, passed.Resource)
	return passed
}

func limitableHost(t *testing.T, way minigo.Config) *minigo.Host {
	t.Helper()
	h, err := minigo.New(compiled(t, "limitable.go", limitable), way)
	require.NoError(t, err)
	t.Cleanup(h.Close)
	return h
}

func steps(n int64) quota.Limits { return quota.Limits{Steps: n} }

// TestACallEndsAtExactlyTheStepAfterItsQuota measures how many steps a call takes, gives it these, and one
// less: in every mode, whatever the slice, and also if the Host has a quota.
func TestACallEndsAtExactlyTheStepAfterItsQuota(t *testing.T) {
	for _, way := range ways() {
		for _, whole := range []int64{0, 1 << 40} {
			way.Quota.Steps = whole
			h := limitableHost(t, way)
			_, err := h.Call(t.Context(), "Loop", 500)
			require.NoError(t, err)
			call := func(function any, args ...any) (int64, error) {
				before := h.Spent().Steps
				_, err := h.Call(t.Context(), function, args...)
				return h.Spent().Steps - before, err
			}
			need, err := call("Loop", 500)
			require.NoError(t, err)
			spent, err := call(minigo.Limited{Func: "Loop", Quota: steps(need)}, 500)
			require.NoError(t, err)
			require.Equal(t, need, spent)
			for _, limit := range []int64{need - 1, need / 2, 1} {
				spent, err := call(minigo.Limited{Func: "Loop", Quota: steps(limit)}, 500)
				passed := passes(t, err, quota.Steps)
				require.Equal(t, quota.Error{Account: "Loop", Resource: quota.Steps, Limit: limit, Spent: passed.Spent}, *passed)
				require.Equal(t, limit, passed.Spent.Steps, "%+v", way)
				require.Equal(t, limit, spent, "%+v", way)
			}
			spent, err = call(minigo.Limited{Func: "Stubborn", Quota: steps(10_000)})
			passes(t, err, quota.Steps)
			require.EqualValues(t, 10_000, spent)
			spent, err = call("Loop", 500)
			require.NoError(t, err)
			require.Equal(t, need, spent)
		}
	}
}

// Goroutines that a call has started use its quota together, whichever of them takes the step too many.
func TestTheGoroutinesOfACallShareItsQuota(t *testing.T) {
	for _, way := range ways() {
		h := limitableHost(t, way)
		_, err := h.Call(t.Context(), "Kept")
		require.NoError(t, err)
		before := h.Spent().Steps
		_, err = h.Call(t.Context(), minigo.Limited{Func: "Family", Quota: steps(5000)}, 7)
		passes(t, err, quota.Steps)
		require.EqualValues(t, 5000, h.Spent().Steps-before)
		_, err = h.Call(t.Context(), minigo.Limited{Func: "Family", Quota: quota.Limits{Fibers: 7}}, 7)
		passes(t, err, quota.Fibers)
		require.Zero(t, h.Spent().Fibers)
	}
}

func TestACallHasQuotasOfEachResource(t *testing.T) {
	for _, way := range ways() {
		var out bytes.Buffer
		way.Access.Stdout = &out
		h := limitableHost(t, way)
		call := func(function string, q quota.Limits, arg any) error {
			_, err := h.Call(t.Context(), minigo.Limited{Func: function, Quota: q}, arg)
			return err
		}
		before := call("Print", quota.Limits{Output: 40}, 3)
		require.NoError(t, before)
		out.Reset()
		passes(t, call("Print", quota.Limits{Output: 35}, 9), quota.Output)
		require.Equal(t, "012345678901234567890123456789", out.String())
		kept, err := bind.Call[int](t.Context(), h, "Kept")
		require.NoError(t, err)
		require.Equal(t, 6, kept, "the call ends where its quota is passed")
		passes(t, call("Sleep", quota.Limits{Time: time.Second}, time.Minute), quota.Time)
		require.NoError(t, call("Sleep", quota.Limits{Time: time.Second}, time.Second-1))
		passes(t, call("Alarms", quota.Limits{Timers: 3}, 4), quota.Timers)
		require.NoError(t, call("Alarms", quota.Limits{Timers: 3}, 3))
		require.NoError(t, call("Loop", quota.Limits{Memory: 1}, 3), "memory is that of the whole Host")
	}
}

// Of calls that a Host serves, one that passes its quota ends alone, and so do the goroutines that a call has left.
func TestOtherCallsContinueWhenOneHasPassedItsQuota(t *testing.T) {
	for _, way := range ways() {
		h := limitableHost(t, way)
		ctx, stop := context.WithCancel(t.Context())
		start := func(function any, args ...any) *bind.Handle {
			handle, err := h.Start(function, args...)
			require.NoError(t, err)
			return handle
		}
		limited := minigo.Limited{Func: "Loop", Quota: steps(500)}
		passing := []*bind.Handle{start(limited, 1<<40), start(minigo.Limited{Func: "Stubborn", Quota: steps(300)})}
		orphan := start(minigo.Limited{Func: "Orphan", Quota: steps(3000)})
		fine := []*bind.Handle{start("Loop", 20_000), start(limited, 9)}
		go func() {
			for _, all := range [][]*bind.Handle{passing, fine, {orphan}} {
				for _, handle := range all {
					<-handle.Done()
				}
			}
			stop()
		}()
		require.ErrorIs(t, h.Serve(ctx), context.Canceled)
		for _, handle := range passing {
			_, err := handle.Result(t.Context())
			passes(t, err, quota.Steps)
			require.ErrorIs(t, err, scheduler.ErrKilled)
		}
		for _, handle := range append(fine, orphan) {
			_, err := handle.Result(t.Context())
			require.NoError(t, err)
		}
	}
}

// A quota of the Host ends the program, also if a call has larger ones of its own.
func TestAQuotaOfTheHostEndsACallWithOneOfItsOwn(t *testing.T) {
	for _, way := range ways() {
		for _, q := range []quota.Limits{{Steps: 50_000}, {Fibers: 5}, {Time: time.Minute}} {
			way.Quota = q
			h := limitableHost(t, way)
			limited := minigo.Limited{Func: "Family", Quota: steps(1 << 40)}
			var arg any = 5
			if q.Time != 0 {
				limited.Func, arg = "Sleep", time.Hour
			}
			_, err := h.Start(limited, arg)
			require.NoError(t, err)
			passed := new(quota.Error)
			require.ErrorAs(t, h.Serve(t.Context()), &passed)
			require.Empty(t, passed.Account)
			_, err = h.Call(t.Context(), "Kept")
			require.ErrorAs(t, err, &passed)
		}
	}
}

// A quota of a call may come while the program runs without Groups, which it then continues to do.
func TestACallOfARunHasQuotasOfItsOwn(t *testing.T) {
	for _, way := range ways() {
		program := compiled(t, "run.go", `package main
import "time"
func Loop(n int) { for i := 0; i < n; i++ {} }
func main() { time.Sleep(time.Second); Loop(10_000) }
`)
		h, err := minigo.New(program, way)
		require.NoError(t, err)
		require.NoError(t, h.Run(t.Context()))
		alone := h.Spent().Steps

		h, err = minigo.New(program, way)
		require.NoError(t, err)
		loop, err := h.Start(minigo.Limited{Func: "Loop", Quota: steps(777)}, 1<<40)
		require.NoError(t, err)
		require.NoError(t, h.Run(t.Context()))
		_, err = loop.Result(t.Context())
		require.Equal(t, "Loop", passes(t, err, quota.Steps).Account)
		require.Equal(t, alone+777, h.Spent().Steps)
	}
}
