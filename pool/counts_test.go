package pool_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestAPoolCountsWhatWaitsAndWhatIsIdle(t *testing.T) {
	var during pool.Counts
	var p *pool.Pool[int]
	p, err := pool.New(pool.Config[int]{Workers: 2, Machine: func(int) scheduler.Machine[int] {
		return scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			during = p.Counts() // one worker runs this, and the other may be idle
			return fiber.Outcome{Kind: fiber.Done}
		})
	}})
	require.NoError(t, err)
	require.NoError(t, p.Spawn(1))
	require.Equal(t, pool.Counts{Workers: 2, Queued: 1}, p.Counts())
	require.NoError(t, p.Run(context.Background()))
	require.Equal(t, pool.Counts{Workers: 2, Idle: during.Idle}, during)
	require.LessOrEqual(t, during.Idle, 1)
	require.Equal(t, pool.Counts{Workers: 2, Idle: 2}, p.Counts())
}
