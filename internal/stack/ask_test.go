package stack_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/stack"
)

// callers names the functions on the call stack that asks.
func callers() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var names []string
	for {
		frame, more := frames.Next()
		names = append(names, frame.Function[strings.LastIndex(frame.Function, ".")+1:])
		if !more {
			return strings.Join(names, " ")
		}
	}
}

func waitDeepInside(s *stack.Stack, rounds *int) {
	for {
		s.Suspend()
		*rounds++
	}
}

func TestAnAnswerIsGivenWhereTheStackIsSuspendedAndMovesNothing(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		rounds := 0
		s := stack.New(b, func(s *stack.Stack) { waitDeepInside(s, &rounds) })
		s.Resume()
		for range 3 {
			var seen string
			require.True(t, s.Ask(func() { seen = callers() }))
			require.Contains(t, seen, "waitDeepInside")
			require.Zero(t, rounds)
			require.False(t, s.Closing())
		}
		require.False(t, s.Resume())
		require.Equal(t, 1, rounds)
		s.Close()
		require.ErrorIs(t, s.Err(), stack.ErrClosed)
		require.Equal(t, 1, rounds)
	})
}

func TestOneStackMayAskAnother(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		pool := stack.NewPool(b, 2)
		defer pool.Close()
		rounds := 0
		asked := pool.New(func(s *stack.Stack) { waitDeepInside(s, &rounds) })
		asked.Resume()
		var seen string
		asks := pool.New(func(s *stack.Stack) {
			require.False(t, s.Ask(func() { t.Error("a running stack answered") }))
			require.True(t, asked.Ask(func() { seen = callers() }))
			s.Suspend()
		})
		require.False(t, asks.Resume())
		require.Contains(t, seen, "waitDeepInside")
		require.True(t, asks.Resume())
		require.Zero(t, rounds)
		asked.Close()
	})
}

func TestOnlyASuspendedStackAnswers(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		wrong := func() { t.Error("it answered") }
		s := stack.New(b, func(s *stack.Stack) { defer func() { require.False(t, s.Ask(wrong)) }(); s.Suspend() })
		require.False(t, s.Ask(wrong))
		s.Resume()
		s.Close()
		require.False(t, s.Ask(wrong))
	})
}
