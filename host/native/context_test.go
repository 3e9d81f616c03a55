//go:build cgo

package native_test

import (
	"context"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/native"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

type contextKey struct{}

func TestACallbackHasTheContextOfItsFiber(t *testing.T) {
	inEachMode(t, func(s *stage) {
		at := time.Now().Add(time.Hour)
		ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), contextKey{}, "the run's"), at)
		defer cancel()
		var own, inner context.Context
		main := s.start("main", func(f *stackful.Fiber) (any, error) {
			own = f.Context()
			_, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				inner = f.Context()
				return 0, f.Sleep(time.Hour)
			})
			return nil, err
		})
		s.start("user", func(f *stackful.Fiber) (any, error) {
			require.NoError(t, inner.Err())
			return nil, f.Cancel(main, errStop)
		})
		require.NoError(t, s.rt.Run(ctx))
		require.Equal(t, own, inner)
		deadline, ok := inner.Deadline()
		require.True(t, ok && deadline.Equal(at))
		require.Equal(t, "the run's", inner.Value(contextKey{}))
		_, err, _ := main.Result()
		for _, is := range []error{errStop, scheduler.ErrCancelled} {
			require.ErrorIs(t, context.Cause(inner), is)
			require.ErrorIs(t, err, is)
		}
	})
}

func TestAKillInACallbackEndsTheContext(t *testing.T) {
	inEachMode(t, func(s *stage) {
		var own context.Context
		main := s.start("main", func(f *stackful.Fiber) (any, error) {
			_, err := s.work(f, func(f *stackful.Fiber, _ unsafe.Pointer) (int64, error) {
				own = f.Context()
				return int64(native.Killed), f.Sleep(time.Hour)
			})
			return nil, err
		})
		s.start("user", func(f *stackful.Fiber) (any, error) {
			return nil, s.rt.Scheduler().Kill(main.ID(), errStop)
		})
		s.run()
		require.ErrorIs(t, context.Cause(own), scheduler.ErrKilled)
		require.ErrorIs(t, context.Cause(own), errStop)
	})
}
