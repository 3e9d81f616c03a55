package stack_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/stack"
)

func TestAPoolUsesTheGoroutinesOfFinishedStacksAgain(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		pool := stack.NewPool(b, 2)
		defer pool.Close()
		sum := 0
		for i := range 10 {
			s := pool.New(func(s *stack.Stack) { s.Suspend(); sum += i })
			s.Resume()
			require.True(t, s.Resume())
			require.NoError(t, s.Err())
			require.Equal(t, 1, pool.Idle())
		}
		require.Equal(t, 45, sum)
	})
}

func TestAPoolKeepsNoMoreThanItWasAskedTo(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		pool := stack.NewPool(b, 2)
		var all []*stack.Stack
		for range 5 {
			s := pool.New(func(s *stack.Stack) { s.Suspend() })
			s.Resume()
			all = append(all, s)
		}
		for _, s := range all {
			s.Resume()
		}
		require.Equal(t, 2, pool.Idle())
		pool.Close()
		require.Zero(t, pool.Idle())
	})
}

func TestAPanicKeepsTheGoroutineAndGoexitDoesNot(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		pool := stack.NewPool(b, 4)
		defer pool.Close()
		s := pool.New(func(*stack.Stack) { panic("once") })
		s.Resume()
		require.EqualError(t, s.Err(), "panic: once")
		require.Equal(t, 1, pool.Idle())

		s = pool.New(func(*stack.Stack) { runtime.Goexit() })
		s.Resume()
		require.ErrorIs(t, s.Err(), stack.ErrGoexit)
		require.Zero(t, pool.Idle())
	})
}

func TestAStackOutlivesItsPool(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		pool := stack.NewPool(b, 4)
		s := pool.New(func(s *stack.Stack) { s.Suspend() })
		s.Resume()
		pool.Close()
		require.True(t, s.Resume())
		require.NoError(t, s.Err())
		require.Zero(t, pool.Idle())
	})
}

func TestAPooledGoroutineServesNestedStacks(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		pool := stack.NewPool(b, 4)
		defer pool.Close()
		order := ""
		outer := pool.New(func(outer *stack.Stack) {
			for _, name := range []string{"a", "b"} {
				inner := pool.New(func(*stack.Stack) { outer.Suspend(); order += name })
				require.True(t, inner.Resume())
			}
		})
		for !outer.Resume() {
			order += "."
		}
		require.Equal(t, ".a.b", order)
		require.Equal(t, 2, pool.Idle())
	})
}
