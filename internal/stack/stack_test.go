package stack_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/internal/stack"
)

// each runs a test on both backings and checks that no goroutine is left behind.
func each(t *testing.T, test func(t *testing.T, b stack.Backing)) {
	for _, b := range []stack.Backing{stack.Coroutine, stack.Goroutine} {
		t.Run(b.String(), func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			test(t, b)
			goleak.VerifyNone(t, before)
		})
	}
}

func TestAFunctionRunsUpToEachSuspendAndThenToItsEnd(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		var trace []string
		s := stack.New(b, func(s *stack.Stack) {
			trace = append(trace, "one")
			s.Suspend()
			trace = append(trace, "two")
			s.Suspend()
			trace = append(trace, "three")
		})
		require.Empty(t, trace, "nothing runs before the first Resume")
		require.False(t, s.Resume())
		require.Equal(t, []string{"one"}, trace)
		require.False(t, s.Resume())
		require.True(t, s.Resume())
		require.Equal(t, []string{"one", "two", "three"}, trace)
		require.True(t, s.Finished())
		require.NoError(t, s.Err())
	})
}

func TestAPanicEndsItsStackAndIsReportedWithTheTraceOfThePanic(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		cause := errors.New("guest failed")
		s := stack.New(b, func(s *stack.Stack) {
			s.Suspend()
			blowUp(cause)
		})
		require.False(t, s.Resume())
		require.True(t, s.Resume())
		var report *stack.PanicError
		require.ErrorAs(t, s.Err(), &report)
		require.ErrorIs(t, s.Err(), cause)
		require.EqualError(t, s.Err(), "panic: guest failed")
		require.Contains(t, string(report.Stack), "blowUp")
	})
}

//go:noinline
func blowUp(err error) { panic(err) }

func TestAPanicValueNeedNotBeAnError(t *testing.T) {
	s := stack.New(stack.Coroutine, func(*stack.Stack) { panic(42) })
	require.True(t, s.Resume())
	require.EqualError(t, s.Err(), "panic: 42")
	require.NoError(t, errors.Unwrap(s.Err()))
}

func TestGoexitEndsItsStackAndNotTheGoroutineThatResumedIt(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		deferred := false
		s := stack.New(b, func(s *stack.Stack) {
			defer func() { deferred = true }()
			s.Suspend()
			runtime.Goexit()
		})
		survived := make(chan bool)
		go func() {
			defer close(survived)
			s.Resume()
			s.Resume()
			survived <- true
		}()
		require.True(t, <-survived, "the resumer was ended too")
		<-survived
		require.True(t, deferred)
		require.ErrorIs(t, s.Err(), stack.ErrGoexit)
	})
}

func TestAPanicWhileTheGoroutineExitsIsTheReportAndNothingEscapes(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		s := stack.New(b, func(*stack.Stack) {
			defer func() { panic("in a defer") }()
			runtime.Goexit()
		})
		require.True(t, s.Resume())
		require.EqualError(t, s.Err(), "panic: in a defer")
	})
}

func TestMisuseIsNamed(t *testing.T) {
	var s *stack.Stack
	s = stack.New(stack.Coroutine, func(*stack.Stack) {
		require.PanicsWithValue(t, "stack: Resume of a stack that is running: rule CALL-ORDER (docs/invariants.md#call-order)", func() { s.Resume() })
		require.PanicsWithValue(t, "stack: Close of a stack that is running: rule CALL-ORDER (docs/invariants.md#call-order)", func() { s.Close() })
		s.Suspend()
	})
	require.PanicsWithValue(t, "stack: Suspend of a stack that is fresh: rule CALL-ORDER (docs/invariants.md#call-order)", func() { s.Suspend() })
	s.Resume()
	require.PanicsWithValue(t, "stack: Suspend of a stack that is suspended: rule CALL-ORDER (docs/invariants.md#call-order)", func() { s.Suspend() })
	require.True(t, s.Resume())
	require.NoError(t, s.Err())
	require.PanicsWithValue(t, "stack: Resume of a stack that is finished: rule CALL-ORDER (docs/invariants.md#call-order)", func() { s.Resume() })
}

func TestASwitchAllocatesNothing(t *testing.T) {
	each(t, func(t *testing.T, b stack.Backing) {
		s := stack.New(b, func(s *stack.Stack) {
			for {
				s.Suspend()
			}
		})
		s.Resume()
		require.Zero(t, testing.AllocsPerRun(1000, func() { s.Resume() }))
		s.Close()
	})
}

func TestTheTraceOfAPanicNamesTheFrameEvenThroughADefer(t *testing.T) {
	s := stack.New(stack.Coroutine, func(s *stack.Stack) {
		defer s.Closing()
		blowUp(errors.New("deep"))
	})
	s.Resume()
	var report *stack.PanicError
	require.ErrorAs(t, s.Err(), &report)
	require.Less(t, 0, strings.Index(string(report.Stack), "blowUp"))
}
