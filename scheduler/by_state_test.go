package scheduler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestEachFiberAndOperationIsCountedOnceByState(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnBlocked(Options{}, fiber.Until(100))
	held := g.spawnReady(Options{})
	g.pause(held)
	g.spawnRunning(Options{})
	g.spawnReady(Options{})
	g.call()
	g.submit()
	g.Ops().Complete(g.submit(), ioqueue.Completion{})
	before := g.Inspect().Dump()
	runnable, atRest, running, blocked := g.Inspect().FibersByState()
	require.Equal(t, []int{1, 1, 1, 1}, []int{runnable, atRest, running, blocked})
	submitted, awaited, complete, abandoned := g.Inspect().OperationsByState()
	require.Equal(t, []int{1, 0, 1, 0}, []int{submitted, awaited, complete, abandoned})
	require.Equal(t, before, g.Inspect().Dump())
}

func TestQueuedIsWhatTheOwnerHasNotTaken(t *testing.T) {
	g := newTestScheduler(t, Config{MaxCommands: 2})
	require.NoError(t, g.Inbox().Do(func() {
		n, limit := g.Inbox().Queued()
		require.Equal(t, []int{0, 2}, []int{n, limit})
	}))
	n, limit := g.Inbox().Queued()
	require.Equal(t, []int{1, 2}, []int{n, limit})
	g.Poll()
	n, _ = g.Inbox().Queued()
	require.Zero(t, n)
}
