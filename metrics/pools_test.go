package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
)

func newPool(t *testing.T) *pool.Pool[int] {
	p, err := pool.New(pool.Config[int]{Workers: 3, Machine: func(int) scheduler.Machine[int] {
		return scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			return fiber.Outcome{Kind: fiber.Done}
		})
	}})
	require.NoError(t, err)
	return p
}

func TestAPoolIsShownWithItsWorkers(t *testing.T) {
	c, p := patient(), newPool(t)
	remove, err := c.AddPool("web", p)
	require.NoError(t, err)
	require.NoError(t, p.Spawn(1))
	require.Equal(t, series{`pool_workers{pool="web",state="busy"}`: 3, `pool_workers{pool="web",state="idle"}`: 0, `pool_payloads{pool="web"}`: 1}, scrape(t, c))
	require.NoError(t, p.Run(t.Context()))
	require.Equal(t, series{`pool_workers{pool="web",state="busy"}`: 0, `pool_workers{pool="web",state="idle"}`: 3, `pool_payloads{pool="web"}`: 0}, scrape(t, c))
	remove()
	remove()
	require.Empty(t, scrape(t, c))
}

func TestAPoolWithoutANameIsRefused(t *testing.T) {
	c, p := patient(), newPool(t)
	_, err := c.AddPool("", p)
	require.ErrorContains(t, err, "name")
	_, err = c.AddPool("web", nil)
	require.ErrorContains(t, err, "nil")
	_, err = c.AddPool("web", p)
	require.NoError(t, err)
	_, err = c.AddPool("web", p)
	require.ErrorContains(t, err, "already")
}
