package metrics_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/scheduler"
)

// hasty is for tests in which the owner does not answer.
func hasty() *metrics.Collector { return metrics.New(metrics.Config{Deadline: time.Nanosecond}) }

func added(t *testing.T, c *metrics.Collector, cfg scheduler.Config) (*scheduler.Scheduler[int], *metrics.Source) {
	s := scheduler.New[int](cfg)
	source, err := c.Add(metrics.Scheduler{Name: "main", Core: &s.Core})
	require.NoError(t, err)
	return s, source
}

// However many scrapes come, the inbox has one question.
func TestAnOwnerThatDoesNotAnswerLeavesTheScrapeStale(t *testing.T) {
	c := hasty()
	s, source := added(t, c, scheduler.Config{})
	first := scrape(t, c)
	require.Equal(t, series{"scrape_stale": 1, "scheduler_closed": 0, "inbox_commands": 0, "inbox_capacity_commands": 1 << 20}, first)

	source.Read()
	_, _ = s.Spawn(0)
	for range 5 {
		got := scrape(t, c)
		require.EqualValues(t, 1, got["scrape_stale"])
		require.Zero(t, got["fibers_spawned_total"])
		require.Contains(t, got, "scrape_age_seconds")
		require.EqualValues(t, 1, got["inbox_commands"])
	}
	s.Poll()
	s.Close()
	got := scrape(t, c)
	require.EqualValues(t, 1, got["fibers_spawned_total"])
	require.EqualValues(t, 1, got["scrape_stale"])
}

func TestAFullInboxLeavesTheScrapeStale(t *testing.T) {
	c := patient()
	s, _ := added(t, c, scheduler.Config{MaxCommands: 1})
	require.NoError(t, s.Inbox().Do(func() {}))
	got := scrape(t, c)
	require.Equal(t, series{"scrape_stale": 1, "scheduler_closed": 0, "inbox_commands": 1, "inbox_capacity_commands": 1}, got)
}

func TestTheLastNumbersOfAClosedSchedulerStay(t *testing.T) {
	c := patient()
	s, source := added(t, c, scheduler.Config{})
	_, _ = s.Spawn(0)
	source.Read()
	s.Close()
	for range 2 {
		got := scrape(t, c)
		require.EqualValues(t, 1, got["fibers_spawned_total"])
		require.EqualValues(t, 1, got[`fibers{state="runnable"}`])
		require.EqualValues(t, 1, got["scheduler_closed"])
		require.EqualValues(t, 1, got["scrape_stale"])
		got.conserves(t)
	}
}

// The owner never answers, and the scrape would wait for an hour.
func TestAScrapeDoesNotWaitForASchedulerThatIsRemoved(t *testing.T) {
	c := patient()
	s, source := added(t, c, scheduler.Config{})
	got := make(chan series)
	go func() { got <- scrape(t, c) }()
	for n := 0; n == 0; n, _ = s.Inbox().Queued() {
		runtime.Gosched()
	}
	source.Remove()
	require.EqualValues(t, 1, (<-got)["scrape_stale"])
	require.Empty(t, scrape(t, c))
	s.Poll() // its question is still there
}
