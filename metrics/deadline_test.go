package metrics

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/scheduler"
)

// The first owner does not answer; the second has when the deadline comes.
func TestAnOwnerThatDoesNotAnswerDoesNotMakeTheOthersStale(t *testing.T) {
	c := New(Config{})
	silent, answers := scheduler.New[int](scheduler.Config{}), scheduler.New[int](scheduler.Config{})
	_, err := c.Add(Scheduler{Name: "silent", Core: &silent.Core})
	require.NoError(t, err)
	source, err := c.Add(Scheduler{Name: "answers", Core: &answers.Core})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	all := make(chan prometheus.Metric, 1000)
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.collect(ctx, all)
		close(all)
	}()
	for fresh := false; !fresh; {
		answers.Poll()
		source.mu.Lock()
		fresh = source.last != nil
		source.mu.Unlock()
		runtime.Gosched()
	}
	cancel()
	<-over
	var stale []float64 // in the order of Add
	for m := range all {
		if m.Desc() == c.descOf("scrape_stale") {
			stale = append(stale, testutil.ToFloat64(prometheus.CollectorFunc(func(ch chan<- prometheus.Metric) { ch <- m })))
		}
	}
	require.Equal(t, []float64{1, 0}, stale)
}

func (c *Collector) descOf(name string) *prometheus.Desc {
	at := slices.IndexFunc(c.families, func(f described) bool { return f.name == name })
	return c.families[at].desc
}
