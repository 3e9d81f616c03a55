package metrics_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// BenchmarkSlices is 1,000 fibers that take turns, without a Collector and with one that is scraped all the time.
func BenchmarkSlices(b *testing.B) {
	for name, scraped := range map[string]bool{"alone": false, "scraped": true} {
		b.Run(name, func(b *testing.B) {
			s := scheduler.New[int](scheduler.Config{})
			for range 1000 {
				_, err := s.Spawn(0)
				require.NoError(b, err)
			}
			stop, over := make(chan struct{}), make(chan struct{})
			if scraped {
				c := patient()
				source, err := c.Add(metrics.Scheduler{Name: "main", Core: &s.Core})
				require.NoError(b, err)
				go collectUntil(stop, over, c)
				defer source.Remove()
			} else {
				close(over)
			}
			n := 0
			turn := scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
				if n++; n >= b.N {
					return fiber.Outcome{Kind: fiber.Done}
				}
				return fiber.Outcome{Kind: fiber.TimesliceExpired}
			})
			b.ResetTimer()
			require.NoError(b, s.Run(context.Background(), turn))
			b.StopTimer()
			close(stop)
			s.Close() // answers the last scrape
			<-over
		})
	}
}

// collectUntil scrapes without the text of it.
func collectUntil(stop <-chan struct{}, over chan<- struct{}, c *metrics.Collector) {
	defer close(over)
	for {
		select {
		case <-stop:
			return
		default:
			c.Collect(make(chan prometheus.Metric, 1000))
		}
	}
}

// BenchmarkRead is what a scrape costs the owner of a scheduler with 100,000 fibers.
func BenchmarkRead(b *testing.B) {
	for name, groups := range map[string]int{"no groups": 0, "100 groups": 100} {
		b.Run(name, func(b *testing.B) {
			s := scheduler.New[int](scheduler.Config{})
			for i := range 100_000 {
				var o scheduler.Options
				if i < groups {
					o.Group = s.Attachments().NewGroup(nil, string(rune('a'+i)), quota.Limits{})
				}
				_, err := s.SpawnWith(0, o)
				require.NoError(b, err)
			}
			source, err := patient().Add(metrics.Scheduler{Name: "main", Core: &s.Core})
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				source.Read()
			}
		})
	}
}
