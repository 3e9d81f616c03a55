package stackful_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

func TestAWaitBeyondMaxTimersGetsAnErrorAndItsFiberContinues(t *testing.T) {
	const limit = 3
	rt := stackful.New(stackful.Config{Config: scheduler.Config{MaxTimers: limit}})
	defer rt.Close()
	for range limit - 1 {
		_, err := rt.Go("sleeper", func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(time.Second) })
		require.NoError(t, err)
	}
	_, err := rt.Go("main", func(f *stackful.Fiber) (any, error) {
		var timer, other wait.Timer
		require.NoError(t, f.Yield())
		_, err := f.ResetTimer(&timer, f.Within(time.Second))
		require.NoError(t, err, "the last one is allowed")

		assert.ErrorIs(t, f.Sleep(time.Second), scheduler.ErrTooManyTimers)
		_, err = f.ResetTimer(&other, f.Within(time.Second))
		assert.ErrorIs(t, err, scheduler.ErrTooManyTimers)
		_, _, err = f.Await(fiber.OnQueue().WithDeadline(f.Within(time.Second)), nil)
		assert.ErrorIs(t, err, scheduler.ErrTooManyTimers)
		never := func(*stackful.Fiber, *stackful.Scope) (any, error) { t.Error("it began"); return nil, nil }
		_, err = f.ScopeUntil(scope.Options{}, f.Within(time.Second), never)
		assert.ErrorIs(t, err, scheduler.ErrTooManyTimers)
		_, err = f.OperateUntil(func(fiber.Token) error { t.Error("it began"); return nil }, f.Within(time.Second))
		assert.ErrorIs(t, err, scheduler.ErrTooManyTimers)
		_, err = f.ResetTimer(&timer, f.Within(2*time.Second))
		assert.NoError(t, err, "one that is set keeps its place")

		_, err = f.StopTimer(&timer)
		assert.NoError(t, err)
		return nil, f.Sleep(time.Second)
	})
	require.NoError(t, err)
	require.NoError(t, rt.Run(context.Background()))
}
