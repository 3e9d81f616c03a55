package fibers

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

type contextKey struct{}

// keep is a stage whose programs keep contexts by name: keep(name).
func keep(t *testing.T, n int) (*stage, map[string]context.Context) {
	s, kept := set(t, slice(n)), map[string]context.Context{}
	s.global("keep", func(L *glua.LState) int {
		ctx := s.Host.Context()
		require.NoError(t, ctx.Err())
		require.Equal(t, ctx.Value(contextKey{}), L.Context().Value(contextKey{}))
		require.NoError(t, L.Context().Err())
		kept[L.CheckString(1)] = ctx
		return 0
	})
	return s, kept
}

func TestGoFunctionsHaveTheContextOfTheRun(t *testing.T) {
	for _, n := range budgets() {
		s, kept := keep(t, n)
		at := time.Now().Add(time.Hour)
		ctx, cancel := context.WithDeadline(context.WithValue(s.ctx, contextKey{}, "the run's"), at)
		defer cancel()
		s.ctx = ctx
		s.play(`
			keep "main"
			fiber.spawn(function() keep "spawned" fiber.yield() keep "again" end):join()
			coroutine.wrap(function() keep "coroutine" end)()`)
		for name, own := range kept {
			deadline, ok := own.Deadline()
			require.True(t, ok && deadline.Equal(at), name)
			require.Equal(t, "the run's", own.Value(contextKey{}), name)
			require.Equal(t, context.Canceled, own.Err(), name)
		}
		require.Equal(t, kept["main"], kept["coroutine"])
		require.Equal(t, kept["spawned"], kept["again"])
		require.NotEqual(t, kept["main"], kept["spawned"])
	}
}

func TestACancelEndsTheContextAfterTheShield(t *testing.T) {
	for _, n := range budgets() {
		s, kept := keep(t, n)
		s.global("ended", func(L *glua.LState) int {
			L.Push(glua.LBool(kept[L.CheckString(1)].Err() != nil))
			return 1
		})
		s.play(`
			local a = fiber.spawn(function() keep "a" fiber.sleep(1) end)
			local b = fiber.spawn(function()
				fiber.shield(function() keep "b" fiber.sleep(1) print("in the shield", ended "b") end)
				fiber.sleep(1)
			end)
			fiber.sleep(0.5)
			a:cancel "enough"
			b:cancel "enough"
			print(ended "a", ended "b")
			b:join()
			print(ended "b")`)
		require.Equal(t, "true\tfalse\nin the shield\tfalse\ntrue\n", s.printed(), "slice %d", n)
		for _, own := range kept {
			require.ErrorIs(t, context.Cause(own), scheduler.ErrCancelled)
			require.ErrorContains(t, context.Cause(own), "enough")
		}
	}
}

func TestTheEndOfTheProgramKillsTheContextsOfOthers(t *testing.T) {
	s, kept := keep(t, 1000)
	s.play(`fiber.spawn(function() keep "other" fiber.sleep(1) end) fiber.yield()`)
	require.ErrorIs(t, context.Cause(kept["other"]), scheduler.ErrKilled)
	require.ErrorIs(t, context.Cause(kept["other"]), scheduler.ErrMainReturned)
}

func TestADeadlockEndsTheContextsOfItsRun(t *testing.T) {
	s, kept := keep(t, 1000)
	s.deadlock(`keep "main" fiber.chan():recv()`)
	require.Equal(t, context.Canceled, kept["main"].Err())
}

func TestTheContextOfTheRunEndsAGoFunctionThatBlocks(t *testing.T) {
	s, _ := keep(t, 1000)
	s.global("block", func(*glua.LState) int {
		ctx := s.Host.Context()
		go s.stop()
		<-ctx.Done()
		return 0
	})
	require.ErrorIs(t, s.try(`block()`), context.Canceled)
}

func TestOutsideOfAFiberTheContextIsTheBackground(t *testing.T) {
	s, _ := keep(t, 1000)
	require.Equal(t, context.Background(), s.Host.Context())
}

// Islands run on goroutines of their own.
func TestAnIslandHasTheValuesOfTheRun(t *testing.T) {
	var mu sync.Mutex
	var seen []any
	cfg := Config{Islands: func(h *Host) {
		L := h.State().Base()
		L.SetGlobal("see", L.NewFunction(func(*glua.LState) int {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, h.Context().Value(contextKey{}))
			return 0
		}))
	}}
	cfg.Runtime.Clock = wallclock.New()
	s := set(t, cfg)
	s.ctx = context.WithValue(s.ctx, contextKey{}, "the run's")
	s.play(`fiber.island():spawn(function()
		see()
		fiber.island():spawn(function() see() end):join()
	end):join()`)
	require.Equal(t, []any{"the run's", "the run's"}, seen)
}
