package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/metrics"
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

// Fibers move between the workers while their schedulers are scraped.
func TestEachWorkerOfAPoolHasItsFibersOnce(t *testing.T) {
	const leaves = 1 << 12
	p, err := pool.New(pool.Config[int]{Workers: 3, Machine: func(int) scheduler.Machine[int] {
		return scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			if n := f.Data; n > 1 {
				for range 2 {
					if _, err := s.SpawnWith(n/2, scheduler.Options{Movable: true}); err != nil {
						return fiber.Outcome{Kind: fiber.Panic}
					}
				}
			}
			return fiber.Outcome{Kind: fiber.Done}
		})
	}})
	require.NoError(t, err)
	require.NoError(t, p.Spawn(leaves))
	c := patient()
	var sources []*metrics.Source
	for i, s := range p.Schedulers() {
		source, err := c.Add(metrics.Scheduler{Name: workerName(i), Core: &s.Core})
		require.NoError(t, err)
		sources = append(sources, source)
	}
	stop, over := make(chan struct{}), make(chan struct{})
	go scrapeUntil(stop, over, t, c, func(all series) {
		for i := range sources {
			all.of(workerName(i)).conserves(t)
		}
	})
	require.NoError(t, p.Run(t.Context()))
	close(stop)
	for i, s := range p.Schedulers() {
		sources[i].Read()
		s.Close() // answers the last scrape
	}
	<-over
	sum := series{}
	for i := range sources {
		for name, n := range scrape(t, c).of(workerName(i)) {
			sum[name] += n
		}
	}
	require.Equal(t, sum["fibers_moved_out_total"], sum["fibers_moved_in_total"])
	require.Equal(t, series{"fibers_spawned_total": 2*leaves - 1}, sum.only("fibers_spawned"))
	require.Equal(t, series{"fibers_ended_total": 2*leaves - 1}, sum.only("fibers_ended"))
}

func workerName(i int) string { return "worker " + string('0'+rune(i)) }
