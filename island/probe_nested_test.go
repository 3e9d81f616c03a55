package island_test

import (
	"testing"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
	"github.com/selvage-dev/selvage/wallclock"
	"github.com/stretchr/testify/require"
)

// The call on top of the stack waits at a port, and the one below it could go on. Only the other
// island could end that, and it waits as well.
func TestAStackInversionIsPartOfADeadlockAcrossIslands(t *testing.T) {
	r := &island.Registry{SelfContained: true}
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Number: r.Number(), Clock: wallclock.New()}, Nesting: true})
	defer rt.Close()
	nested, err := r.Join(&rt.Scheduler().Core, island.Config{Name: "nested", ProbeAfter: 1})
	require.NoError(t, err)
	p, err := island.Open[int](nested, "p", 1)
	require.NoError(t, err)
	away := islandtest.Start(t, r, "away", island.Config{ProbeAfter: 1})
	q := islandtest.Open[int](away, "q", 1)
	islandtest.Dial[int](away, "p")
	_, err = island.Dial[int](nested, "q")
	require.NoError(t, err)

	ready := wait.NewChan[int](1)
	_, err = rt.Go("below", func(f *stackful.Fiber) (any, error) {
		return f.Call(func(f *stackful.Fiber) (any, error) { v, _, err := stackful.Recv(f, ready); return v, err })
	})
	require.NoError(t, err)
	var onTop error
	_, err = rt.Go("on top", func(f *stackful.Fiber) (any, error) {
		return f.Call(func(f *stackful.Fiber) (any, error) {
			if _, err := stackful.TrySend(f, ready, 1); err != nil {
				return nil, err
			}
			_, _, onTop = islandtest.Receive(f, p)
			return nil, nil
		})
	})
	require.NoError(t, err)
	away.Go("waits", func(f *stackful.Fiber) error { _, _, err := islandtest.Receive(f, q); return err })
	away.Hold.Close()
	require.ErrorAs(t, rt.Run(t.Context()), new(*scheduler.StackInversionError))
	require.ErrorAs(t, onTop, new(*scheduler.StackInversionError))
	require.NotNil(t, nested.Deadlock())
	nested.Leave(nested.Deadlock())
	<-away.Done
	require.Same(t, nested.Deadlock(), away.Deadlock())
}
