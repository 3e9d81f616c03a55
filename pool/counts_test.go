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
	var during []int
	var p *pool.Pool[int]
	p, err := pool.New(pool.Config[int]{Workers: 2, Machine: func(int) scheduler.Machine[int] {
		return scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			during = counts(p) // one worker runs this, and the other may be idle
			return fiber.Outcome{Kind: fiber.Done}
		})
	}})
	require.NoError(t, err)
	require.NoError(t, p.Spawn(1))
	require.Equal(t, []int{2, 0, 1}, counts(p))
	require.NoError(t, p.Run(context.Background()))
	require.Equal(t, []int{2, during[1], 0}, during)
	require.LessOrEqual(t, during[1], 1)
	require.Equal(t, []int{2, 2, 0}, counts(p))
}

// counts are the workers, the idle ones and the payloads that wait.
func counts(p *pool.Pool[int]) []int {
	workers, idle, queued := p.Counts()
	return []int{workers, idle, queued}
}
