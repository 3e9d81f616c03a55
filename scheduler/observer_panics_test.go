package scheduler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/rule"
)

// The panic of an observer leaves an operation halfway, wherever it comes.
func TestAnObserverThatPanicsPoisonsAtOnce(t *testing.T) {
	for calls := range 6 {
		s := New[int](Config{Observer: func(Transition) {
			if calls--; calls < 0 {
				panic("boom")
			}
		}})
		var broken *InvariantError
		func() {
			defer func() { broken, _ = recover().(*InvariantError) }()
			for {
				_, _ = s.Spawn(1)
				s.Poll()
				s.ScheduleNext()
				s.YieldCurrent()
			}
		}()
		require.NotNil(t, broken)
		require.Equal(t, rule.HookReturns, broken.Rule)
		require.Contains(t, broken.Found, "Config.Observer panicked: boom")
		require.Same(t, broken, s.Inspect().Poisoned())
	}
}

func TestNoFiberBeginsAfterClose(t *testing.T) {
	s := New[int](Config{})
	id, err := s.Spawn(1)
	require.NoError(t, err)
	s.Poll()
	s.ScheduleNext()
	s.KillCurrent()
	before, err := s.Start(2, Options{})
	require.NoError(t, err)
	s.Close()
	require.NotZero(t, before.id, "it was posted before")
	for name, spawn := range map[string]func() error{
		"Spawn":     func() error { _, err := s.Spawn(1); return err },
		"SpawnWith": func() error { _, err := s.SpawnWith(1, Options{Frames: true}); return err },
		"Fork":      func() error { _, err := s.Fork(1); return err },
		"Start":     func() error { _, err := s.Start(1, Options{}); return err },
	} {
		require.ErrorIs(t, spawn(), ErrStopped, name)
	}
	require.NotZero(t, id)
}
