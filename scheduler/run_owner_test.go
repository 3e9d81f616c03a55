package scheduler

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// leaves runs the scheduler on a goroutine of its own and returns the panic by which Run left;
// nil after runtime.Goexit.
func leaves(t *testing.T, s *Scheduler[int], m Machine[int]) (value any) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { value = recover() }()
		t.Errorf("Run returned %v", s.Run(context.Background(), m))
	}()
	<-ended
	return value
}

// A Machine that panics has lost the frames of the fiber that it was resuming.
func TestAFiberWhoseSliceDidNotReturnEndsWithItsRun(t *testing.T) {
	boom := errors.New("boom")
	for name, explode := range map[string]func(s *Scheduler[int]){
		"at once":           func(*Scheduler[int]) { panic(boom) },
		"by Goexit":         func(*Scheduler[int]) { runtime.Goexit() },
		"with a wait armed": func(s *Scheduler[int]) { s.Arm(fiber.OnQueue().WithDeadline(9)); panic(boom) },
		"in a native call":  func(s *Scheduler[int]) { _, _ = s.AcquireTrampoline(); panic(boom) },
		"masked":            func(s *Scheduler[int]) { s.Unwind().Mask(); panic(boom) },
		"cancelled": func(s *Scheduler[int]) {
			_ = s.Cancel(s.Current(), nil)
			panic(boom)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := New[int](Config{})
			var ended error
			_, err := s.SpawnWith(0, Options{Frames: true, Ended: func(_ any, err error) { ended = err }})
			require.NoError(t, err)
			other, err := s.Spawn(3)
			require.NoError(t, err)

			value := leaves(t, s, MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
				if f.Data == 0 {
					explode(s)
				}
				return countdown(s, f)
			}))
			if name != "by Goexit" {
				require.Equal(t, boom, value)
			}
			s.Inspect().Verify()
			require.Zero(t, s.Current())
			require.ErrorAs(t, ended, new(*PanicError))
			require.ErrorContains(t, ended, "did not return")

			require.NoError(t, s.Run(context.Background(), countdown))
			require.Equal(t, fiber.Dead, s.Inspect().State(other.ID()))
		})
	}
}

// claimRefusal is the refusal of a call beside another one, with the places of both.
func claimRefusal(t *testing.T, call func(), first, second string) {
	t.Helper()
	e := refusal(call)
	require.NotNil(t, e)
	require.Equal(t, "ONE-OWNER", e.Rule.String())
	require.Contains(t, e.Fix, second+" was called at ")
	require.Contains(t, e.Fix, first+" at ")
	require.Equal(t, 2, strings.Count(e.Fix, "run_owner_test.go:"), e.Fix)
}

func TestASecondRunIsRefusedWithBothPlaces(t *testing.T) {
	s := New[int](Config{})
	_, err := s.Spawn(0)
	require.NoError(t, err)
	slices := 0
	require.NoError(t, s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], _ *Fiber[int]) fiber.Outcome {
		slices++
		for second, call := range map[string]func(){
			"Run":   func() { _ = s.Run(context.Background(), countdown) },
			"Begin": func() { s.Steps().Begin(context.Background()) },
			"Close": func() { s.Close() },
		} {
			claimRefusal(t, call, "Run", second) // in a slice
			refused := make(chan struct{})
			go func() {
				defer close(refused)
				claimRefusal(t, call, "Run", second) // on another goroutine
			}()
			<-refused
		}
		return done
	})))
	require.Equal(t, 1, slices)

	l := s.Steps().Begin(context.Background())
	claimRefusal(t, func() { _ = s.Run(context.Background(), countdown) }, "Begin", "Run")
	l.Close()
	require.NoError(t, s.Run(context.Background(), countdown))
	s.Close()
	require.NoError(t, s.Run(context.Background(), countdown))
}

// Of many goroutines that begin at once, one runs; the others are refused before they have read
// anything that the race detector could object to.
func TestOfRunsThatBeginAtOnceOneIsActive(t *testing.T) {
	const goroutines = 8
	s := New[int](Config{})
	s.Spawn(0)
	var refused, finished int
	arrived, verdicts := make(chan struct{}, goroutines), make(chan bool, goroutines)
	m := MachineFunc[int](func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
		for range goroutines - 1 {
			<-arrived // all others have been refused
		}
		return done
	})
	for range goroutines {
		go func() {
			e := refusal(func() { _ = s.Run(context.Background(), m) })
			arrived <- struct{}{}
			verdicts <- e != nil
		}()
	}
	for range goroutines {
		if <-verdicts {
			refused++
		} else {
			finished++
		}
	}
	require.Equal(t, 1, finished)
	require.Equal(t, goroutines-1, refused)
}

func TestARunWithoutWhatItNeedsIsRefusedByName(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var none context.Context
	for fix, call := range map[string]func(){
		"Run has no Machine":   func() { _ = g.Run(context.Background(), nil) },
		"Run has no context":   func() { _ = g.Run(none, countdown) },
		"Begin has no context": func() { g.Steps().Begin(none) },
	} {
		e := g.refuses("VALID-ARGUMENT", op.Pump, call)
		require.Contains(t, e.Fix, fix)
	}
	require.NoError(t, g.Run(context.Background(), countdown))
}

// A loop may be closed where it ends and by a deferred call: by then another may have begun.
func TestASecondCloseOfALoopLeavesTheNextOneAlone(t *testing.T) {
	s := New[int](Config{})
	id, err := s.Spawn(0)
	require.NoError(t, err)
	first := s.Steps().Begin(context.Background())
	first.Close()
	next := s.Steps().Begin(context.Background())
	s.Poll()
	require.NotNil(t, s.ScheduleNext())
	first.Close()
	require.Equal(t, fiber.Running, s.Inspect().State(id.ID()))
	claimRefusal(t, func() { _ = s.Run(context.Background(), countdown) }, "Begin", "Run")
	next.Close()
	require.Equal(t, fiber.Dead, s.Inspect().State(id.ID()))
}
