//go:build invariants

package stackful_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/stackful"
)

// refused is what f panics with on the calling goroutine.
func refused(f func()) (seen any) {
	defer func() { seen = recover() }()
	f()
	return nil
}

// onGoroutine is refused on a goroutine of its own.
func onGoroutine(f func()) any {
	seen := make(chan any)
	go func() { seen <- refused(f) }()
	return <-seen
}

func TestAGoroutineThatAFiberStartsMayNotUseItsScheduler(t *testing.T) {
	for _, backing := range []stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
		t.Run(backing.String(), func(t *testing.T) {
			rt := stackful.New(stackful.Config{Backing: backing})
			defer rt.Close()
			var seen []any
			use := func(f *stackful.Fiber) {
				seen = append(seen, onGoroutine(func() { _ = f.Yield() }), onGoroutine(func() { _, _ = rt.Go("b", nothing) }))
			}
			_, err := rt.Go("a", func(f *stackful.Fiber) (any, error) {
				use(f)
				if err := f.Yield(); err != nil {
					return nil, err
				}
				return f.Call(func(f *stackful.Fiber) (any, error) { use(f); return nil, f.Yield() })
			})
			require.NoError(t, err)
			require.NoError(t, rt.Run(context.Background()))
			require.Len(t, seen, 4)
			for _, e := range seen {
				require.ErrorContains(t, e.(error), "ONE-OWNER")
			}
		})
	}
}

func nothing(*stackful.Fiber) (any, error) { return nil, nil }

// The stacks of a run on a goroutine of its own are no part of any other scheduler's slice.
func TestAFiberMayNotUseTheSchedulerOfAnotherGoroutine(t *testing.T) {
	mine, other := stackful.New(stackful.Config{}), stackful.New(stackful.Config{})
	defer mine.Close()
	defer other.Close()
	var seen any
	_, err := mine.Go("owner", func(f *stackful.Fiber) (any, error) {
		ended := make(chan error)
		go func() {
			_, err := other.Go("intruder", func(*stackful.Fiber) (any, error) {
				seen = refused(func() { _, _ = mine.Go("x", nothing) })
				return nil, nil
			})
			if err == nil {
				err = other.Run(context.Background())
			}
			ended <- err
		}()
		return nil, <-ended
	})
	require.NoError(t, err)
	require.NoError(t, mine.Run(context.Background()))
	require.ErrorContains(t, seen.(error), "ONE-OWNER")
}
