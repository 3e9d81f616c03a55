package stackful_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// A slice may begin any number of waits, for a park that is refused takes its wait back.
func TestWaitsThatAreUsedUpAreAnErrorOfTheCallAndOfTheRun(t *testing.T) {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{FirstSequence: fiber.MaxSeq - 1<<20 - 2}})
	defer rt.Close()
	var ends []error
	_, err := rt.Go("waiter", func(f *stackful.Fiber) (any, error) {
		for range 10 {
			_, _, err := f.Await(fiber.OnQueue(), func(fiber.Ticket) error { return context.Canceled })
			ends = append(ends, err)
		}
		return nil, nil
	})
	require.NoError(t, err)
	require.ErrorIs(t, rt.Run(context.Background()), scheduler.ErrWaitsUsedUp)
	require.ErrorIs(t, ends[0], context.Canceled)
	require.ErrorIs(t, ends[9], scheduler.ErrWaitsUsedUp)
}
