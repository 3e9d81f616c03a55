package scheduler

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// endedWith requires that the context has ended, with causes that include these.
func endedWith(t *testing.T, ctx context.Context, causes ...error) {
	t.Helper()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	select {
	case <-ctx.Done():
	default:
		require.Fail(t, "Err says that it has ended, and Done does not")
	}
	for _, cause := range causes {
		require.ErrorIs(t, context.Cause(ctx), cause)
	}
}

type contextKey struct{}

func TestAFiberHasTheValuesAndTheDeadlineOfItsRun(t *testing.T) {
	s, seen := New[int](Config{}), map[context.Context]bool{}
	deadline := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), contextKey{}, "the run's"), deadline)
	defer cancel()
	s.Spawn(2)
	s.Spawn(2)
	require.NoError(t, s.Run(ctx, MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		own := s.Unwind().Context()
		seen[own] = true
		require.Equal(t, "the run's", own.Value(contextKey{}))
		require.Nil(t, own.Value("another key"))
		at, ok := own.Deadline()
		require.True(t, ok && at.Equal(deadline))
		require.NoError(t, own.Err())
		return countdown(s, f)
	})))
	require.Len(t, seen, 2, "each fiber has one, and the same at each call")
	for own := range seen {
		endedWith(t, own, errFiberEnded)
	}
}

func TestOutsideOfARunAContextEndsWithItsFiber(t *testing.T) {
	for _, used := range []bool{true, false} {
		g := newTestScheduler(t, Config{})
		g.spawnRunning(Options{})
		ctx := g.Unwind().Context()
		if used {
			require.NoError(t, ctx.Err())
		}
		g.KillCurrent()
		endedWith(t, ctx, errFiberEnded)
	}
}

func TestAContextIsEndedByWhatEndsItsFiber(t *testing.T) {
	other := errors.New("another")
	for name, how := range map[string]struct {
		options Options
		do      func(*testScheduler, fiber.ID)
		causes  []error
	}{
		"a cancel":          {Options{}, func(g *testScheduler, id fiber.ID) { g.Cancel(id, errWhy) }, []error{ErrCancelled, errWhy}},
		"without a cause":   {Options{}, func(g *testScheduler, id fiber.ID) { g.Cancel(id, nil) }, []error{ErrCancelled}},
		"a kill":            {Options{}, func(g *testScheduler, id fiber.ID) { g.Kill(id, errWhy) }, []error{ErrKilled, errWhy}},
		"a kill of frames":  {Options{Frames: true}, func(g *testScheduler, id fiber.ID) { g.Kill(id, errWhy) }, []error{ErrKilled, errWhy}},
		"the first of both": {Options{}, func(g *testScheduler, id fiber.ID) { g.Cancel(id, errWhy); g.Kill(id, other) }, []error{errWhy}},
	} {
		for state, prepare := range map[string]func(*testScheduler){
			"running": func(*testScheduler) {},
			"ready":   func(g *testScheduler) { g.YieldCurrent() },
			"blocked": func(g *testScheduler) { g.blockIn(fiber.OnQueue()) },
			"armed":   func(g *testScheduler) { g.Arm(fiber.OnQueue()) },
			"lent":    func(g *testScheduler) { g.Moves().Lend() },
		} {
			t.Run(name+"/"+state, func(t *testing.T) {
				g := newTestScheduler(t, Config{})
				id := g.spawnRunning(how.options)
				ctx := g.Unwind().Context()
				prepare(g)
				require.NoError(t, ctx.Err())
				how.do(g, id.ID())
				endedWith(t, ctx, how.causes...)
				if name == "the first of both" {
					require.NotErrorIs(t, context.Cause(ctx), other)
				}
			})
		}
	}
}

func TestTheCauseOfAnEndedFiberHasItsError(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	ctx := g.Unwind().Context()
	g.Exit(nil, errWhy)
	endedWith(t, ctx, errFiberEnded, errWhy)
}

func TestAKilledFiberThatIsReapedEndsItsContextWhenItIsKilled(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	ctx := g.Unwind().Context()
	g.YieldCurrent()
	g.Kill(id.ID(), errWhy)
	g.is(id.ID(), fiber.Runnable)
	endedWith(t, ctx, ErrKilled, errWhy)
}

func TestANativeCallHasTheContextOfItsFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	own := g.Unwind().Context()
	g.call()
	inner := g.call()
	require.Equal(t, own, g.Unwind().Context())
	g.blockIn(fiber.OnQueue())
	g.Cancel(inner.ID(), errWhy)
	endedWith(t, own, ErrCancelled, errWhy)
	g.mount(id)
	require.Equal(t, own, g.Unwind().Context())
}

func TestTheContextOfTheRunEndsThoseOfItsFibersAtOnce(t *testing.T) {
	s := New[int](Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	s.Spawn(9)
	require.ErrorIs(t, s.Run(ctx, MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		own := s.Unwind().Context()
		cancel(errWhy)
		endedWith(t, own, errWhy) // within the slice, so that what the slice waits for ends
		return expired
	})), context.Canceled)
}

func TestAFiberOfTwoRunsHasAContextInEach(t *testing.T) {
	s, contexts := New[int](Config{}), []context.Context(nil)
	stuck, _ := s.Spawn(0)
	m := MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		s.Claim()
		contexts = append(contexts, s.Unwind().Context(), s.Unwind().Context())
		return fiber.BlockOn(fiber.OnQueue())
	})
	require.ErrorAs(t, s.Run(t.Context(), m), new(*DeadlockError))
	require.Equal(t, contexts[0], contexts[1])
	endedWith(t, contexts[0], errRunEnded)
	s.Wake(stuck.ID())
	require.ErrorAs(t, s.Run(t.Context(), m), new(*DeadlockError))
	require.NotEqual(t, contexts[0], contexts[2])
	require.Equal(t, contexts[2], contexts[3])
	endedWith(t, contexts[2], errRunEnded)
}

// hostContext is a context of a host's own kind: the standard library derives from it by a goroutine.
type hostContext struct {
	context.Context
	done chan struct{}
}

func (c *hostContext) Done() <-chan struct{} { return c.done }
func (c *hostContext) Value(any) any         { return nil }

func TestNoGoroutineIsLeftBehindByTheContextsOfARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine is left
		s := New[int](Config{})
		for range 3 {
			s.Spawn(2)
		}
		ctx := &hostContext{context.Background(), make(chan struct{})}
		require.NoError(t, s.Run(ctx, MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
			s.Unwind().Context().Done()
			return countdown(s, f)
		})))
	})
}

func TestAContextIsThatOfACurrentFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	e := refusal(func() { g.Unwind().Context() })
	require.Equal(t, rule.Executing, e.Rule)
	require.ErrorContains(t, e, "call it in a slice")
	g.spawnReady(Options{})
	e = refusal(func() { g.Unwind().Context() })
	require.Equal(t, rule.Executing, e.Rule)
}

func TestAHookHasNoContext(t *testing.T) {
	var g *testScheduler
	var e *ContractError
	g = newTestScheduler(t, Config{})
	g.spawnRunning(Options{Ended: func(any, error) { e = refusal(func() { g.Unwind().Context() }) }})
	g.Exit(1, nil)
	require.Equal(t, rule.OneOwner, e.Rule)
}

func TestAContextIsNotSeenByAnObserver(t *testing.T) {
	var seen []Transition
	g := newTestScheduler(t, Config{Observer: func(tr Transition) { seen = append(seen, tr) }})
	id := g.spawnRunning(Options{})
	g.Unwind().Mask() // the observer has now seen everything before
	before, steps := len(seen), g.Inspect().Transitions()
	ctx := g.Unwind().Context()
	require.NoError(t, ctx.Err())
	require.Equal(t, before, len(seen))
	require.Equal(t, steps, g.Inspect().Transitions())
	g.Cancel(id.ID(), errWhy)
	require.Equal(t, before+1, len(seen))
}

func TestAskingForTheContextAgainAllocatesNothing(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.Unwind().Context()
	require.Zero(t, testing.AllocsPerRun(100, func() { g.Unwind().Context() }))
}

func TestTheEndOfAFiberAllocatesNothingForAContextThatWasNotUsed(t *testing.T) {
	g := newTestScheduler(t, Config{})
	life := func(ask bool) func() {
		return func() {
			g.spawnRunning(Options{})
			if ask {
				g.Unwind().Context()
			} else {
				g.Unwind().Mask() // another use of the record
			}
			g.KillCurrent()
		}
	}
	life(true)()
	require.Equal(t, 1.0, testing.AllocsPerRun(100, life(true))-testing.AllocsPerRun(100, life(false)))
}
