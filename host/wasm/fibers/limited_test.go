package fibers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

const loops = `
	func forever () export loop br 0 end end
	func one () (i32) export i32.const 1 end`

func TestACallHasQuotasOfItsOwn(t *testing.T) {
	for _, whole := range []quota.Limits{{}, {Steps: 1 << 40}} {
		h := callable(t, fibers.Config{Quota: whole}, nil, loops)
		for range 2 {
			_, err := h.Call(h.ctx, fibers.Limited{Func: "forever", Quota: quota.Limits{Steps: 10_000}})
			passed := new(quota.Error)
			require.ErrorAs(t, err, &passed)
			require.Equal(t, quota.Error{Account: "forever", Limit: 10_000, Spent: passed.Spent}, *passed)
			require.EqualValues(t, 10_000, passed.Spent.Steps)
			got, err := h.Call(h.ctx, fibers.Limited{Func: "one", Quota: quota.Limits{Steps: 10_000}})
			require.NoError(t, err)
			require.Equal(t, []any{1.0}, got)
		}
		ctx, stop := context.WithCancel(h.ctx)
		passes, err := h.Start(fibers.Limited{Func: "forever", Quota: quota.Limits{Steps: 10_000}})
		require.NoError(t, err)
		one, err := h.Start("one")
		require.NoError(t, err)
		go func() { <-one.Done(); stop() }()
		require.ErrorIs(t, h.Serve(ctx), context.Canceled)
		_, err = passes.Result(h.ctx)
		require.ErrorAs(t, err, new(*quota.Error))
		_, err = one.Result(h.ctx)
		require.NoError(t, err)
	}
}

func TestServeEndsWhenAQuotaOfTheHostIsPassed(t *testing.T) {
	h := callable(t, fibers.Config{Quota: quota.Limits{Steps: 100_000}}, nil, loops)
	endless, err := h.Start("forever")
	require.NoError(t, err)
	require.ErrorAs(t, h.Serve(h.ctx), new(*quota.Error))
	_, err = endless.Result(h.ctx)
	require.ErrorAs(t, err, new(*quota.Error))
	require.ErrorIs(t, err, scheduler.ErrKilled)
}

func TestACallHasQuotasOfEachResource(t *testing.T) {
	h := callable(t, fibers.Config{}, nil, `
		import "selvage" "sleep" sleep (i64)
		import "wasi_snapshot_preview1" "fd_write" fd_write (i32 i32 i32 i32) (i32)
		func nap () export i64.const 1000000000 call sleep end
		func print () export
			i32.const 0 i32.const 16 i32.store
			i32.const 4 i32.const 5 i32.store
			i32.const 1 i32.const 0 i32.const 1 i32.const 8 call fd_write drop
			i32.const 1 i32.const 0 i32.const 1 i32.const 8 call fd_write drop
		end`)
	for _, c := range []struct {
		function string
		resource quota.Resource
		passes   quota.Limits
		fits     quota.Limits
	}{
		{"nap", quota.Time, quota.Limits{Time: time.Second / 2}, quota.Limits{Time: time.Second + 1}},
		{"print", quota.Output, quota.Limits{Output: 4}, quota.Limits{Output: 10}},
		{"nap", quota.Timers, quota.Limits{}, quota.Limits{Timers: 1, Fibers: 1, Memory: 1}},
	} {
		_, err := h.Call(h.ctx, fibers.Limited{Func: c.function, Quota: c.fits})
		require.NoError(t, err, c.function)
		if c.passes == (quota.Limits{}) {
			continue
		}
		_, err = h.Call(h.ctx, fibers.Limited{Func: c.function, Quota: c.passes})
		var passed *quota.Error
		require.ErrorAs(t, err, &passed, c.function)
		require.Equal(t, c.resource, passed.Resource)
	}
}
