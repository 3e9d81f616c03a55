package stack_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/stack"
)

func TestTheOuterStackMayBeSuspendedFromTheInnerOne(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		var trace []string
		var inner *stack.Stack
		outer := stack.New(b, func(outer *stack.Stack) {
			inner = stack.New(b, func(inner *stack.Stack) {
				trace = append(trace, "inner 1")
				outer.Suspend()
				trace = append(trace, "inner 2")
				inner.Suspend()
				trace = append(trace, "inner 3")
			})
			require.False(t, inner.Resume(), "only its own Suspend counts as one")
			trace = append(trace, "outer")
			require.True(t, inner.Resume())
		})
		require.False(t, outer.Resume())
		require.Equal(t, []string{"inner 1"}, trace)
		require.True(t, outer.Resume())
		require.Equal(t, []string{"inner 1", "inner 2", "outer", "inner 3"}, trace)
		require.NoError(t, outer.Err())
		require.NoError(t, inner.Err())
	})
}

func TestCloseUnwindsTheInnerStackFirstAndTellsItsResumer(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		var trace []string
		outer := stack.New(b, func(outer *stack.Stack) {
			defer func() { trace = append(trace, "outer") }()
			inner := stack.New(b, func(*stack.Stack) {
				defer func() { trace = append(trace, "inner") }()
				outer.Suspend()
			})
			require.True(t, inner.Resume())
			require.ErrorIs(t, inner.Err(), stack.ErrGoexit)
			runtime.Goexit()
		})
		outer.Resume()
		outer.Close()
		require.Equal(t, []string{"inner", "outer"}, trace)
		require.ErrorIs(t, outer.Err(), stack.ErrClosed)
	})
}

func TestAnInnerStackOutlivesTheOuterOneThatMadeIt(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		var inner *stack.Stack
		outer := stack.New(b, func(*stack.Stack) {
			inner = stack.New(b, func(s *stack.Stack) { s.Suspend() })
			inner.Resume()
		})
		require.True(t, outer.Resume())
		other := stack.New(b, func(*stack.Stack) { require.True(t, inner.Resume()) })
		require.True(t, other.Resume())
		require.NoError(t, inner.Err())
	})
}

func TestDeepNestingSuspendsWithOneSwitch(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		const depth = 50
		reached := 0
		var descend func(outer *stack.Stack, n int)
		descend = func(outer *stack.Stack, n int) {
			if n == 0 {
				outer.Suspend()
				reached++
				return
			}
			s := stack.New(b, func(*stack.Stack) { descend(outer, n-1) })
			require.True(t, s.Resume())
			reached++
		}
		outer := stack.New(b, func(outer *stack.Stack) { descend(outer, depth) })
		require.False(t, outer.Resume())
		require.Zero(t, reached)
		require.True(t, outer.Resume())
		require.Equal(t, depth+1, reached)
	})
}
