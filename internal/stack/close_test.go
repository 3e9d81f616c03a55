package stack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/stack"
)

func TestCloseRunsTheDefersOfASuspendedStack(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		var trace []string
		s := stack.New(b, func(s *stack.Stack) {
			defer func() { trace = append(trace, "outer") }()
			func() {
				defer func() {
					require.True(t, s.Closing())
					trace = append(trace, "inner")
				}()
				s.Suspend()
				trace = append(trace, "went on")
			}()
		})
		s.Resume()
		s.Close()
		require.Equal(t, []string{"inner", "outer"}, trace)
		require.ErrorIs(t, s.Err(), stack.ErrClosed)
	})
}

func TestNoRecoverCanStopAClose(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		rounds := 0
		s := stack.New(b, func(s *stack.Stack) {
			for {
				func() {
					defer func() {
						rounds++
						require.Nil(t, recover(), "a close must not look like a panic")
					}()
					s.Suspend()
				}()
			}
		})
		s.Resume()
		s.Resume()
		s.Close()
		require.Equal(t, 2, rounds)
		require.ErrorIs(t, s.Err(), stack.ErrClosed)
	})
}

func TestADeferThatSuspendsDuringACloseIsUnwoundToo(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		last := false
		s := stack.New(b, func(s *stack.Stack) {
			defer func() { last = true }()
			defer func() {
				for {
					s.Suspend()
				}
			}()
			s.Suspend()
		})
		s.Resume()
		s.Close()
		require.True(t, last)
		require.ErrorIs(t, s.Err(), stack.ErrClosed)
	})
}

func TestCloseOfAFreshStackNeverRunsIt(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		s := stack.New(b, func(*stack.Stack) { t.Error("ran") })
		s.Close()
		require.True(t, s.Finished())
		require.ErrorIs(t, s.Err(), stack.ErrClosed)
	})
}

func TestCloseOfAFinishedStackKeepsItsError(t *testing.T) {
	s := stack.New(stack.Coroutine, func(*stack.Stack) {})
	s.Resume()
	s.Close()
	require.NoError(t, s.Err())
}
