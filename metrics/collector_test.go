package metrics_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// A fiber sleeps, one waits for a message, one is paused, one has ended, one was killed; the main fiber waits
// for the scrape.
func TestAScrapeHasTheNumbersOfItsMoment(t *testing.T) {
	w, c := newWorld(t, scheduler.Config{MaxCommands: 7}), patient()
	w.show(t, c)
	var got series
	w.run(t, func(f *stackful.Fiber) {
		group := w.core().Attachments().NewGroup(nil, "guests", quota.Limits{Steps: 100, Memory: 1 << 20})
		start := func(name string, fn stackful.Func) *stackful.Task {
			task, err := w.rt.GoWith(name, fn, scheduler.Options{Group: group})
			require.NoError(t, err)
			return task
		}
		messages := wait.NewChan[int](0)
		start("sleeps", func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
		start("receives", func(f *stackful.Fiber) (any, error) { _, _, err := stackful.Recv(f, messages); return nil, err })
		start("ends", func(*stackful.Fiber) (any, error) { return nil, nil })
		killed := start("killed", func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
		paused := start("paused", func(f *stackful.Fiber) (any, error) { return nil, f.Sleep(time.Hour) })
		require.NoError(t, w.core().Attachments().Pause(paused.ID()))
		require.NoError(t, f.Yield())
		require.NoError(t, w.core().Kill(killed.ID(), nil))
		require.NoError(t, group.Take(quota.Steps, 30))
		require.NoError(t, f.Yield())
		w.beside(t, f, func() { got = scrape(t, c) })
	})
	got.conserves(t)
	require.Equal(t, series{
		`fibers{state="runnable"}`: 0, `fibers{state="held"}`: 1, `fibers{state="running"}`: 0, `fibers{state="blocked"}`: 3,
		"fibers_spawned_total": 6, "fibers_ended_total": 2, "fibers_killed_total": 1, "fibers_moved_in_total": 0, "fibers_moved_out_total": 0,
	}, got.only("fibers"))
	require.Equal(t, series{
		`operations{state="submitted"}`: 0, `operations{state="awaited"}`: 1, `operations{state="complete"}`: 0, `operations{state="abandoned"}`: 0,
		"operations_submitted_total": 1, "operations_completed_total": 0, "operations_abandoned_total": 0, "operations_refused_total": 0,
	}, got.only("operations"))
	require.Equal(t, series{
		`group_steps{group="guests"}`: 30, `group_steps_limit{group="guests"}`: 100, `group_memory_bytes{group="guests"}`: 0,
		`group_memory_limit_bytes{group="guests"}`: 1 << 20, `group_fibers{group="guests"}`: 3, `group_timers{group="guests"}`: 1,
		`group_operations{group="guests"}`: 0, `group_output_bytes{group="guests"}`: 0,
	}, got.only("group_steps", "group_memory", "group_fibers", "group_timers", "group_operations", "group_output"))
	require.Equal(t, series{"timers": 1, "native_calls": 0, "groups": 1, "results_lost_total": 0, "wakeups_refused_total": 0, "slots_retired_total": 0},
		got.only("timers", "native", "groups", "results", "wakeups", "slots"))
	require.Equal(t, series{"inbox_commands": 0, "inbox_capacity_commands": 7, "scrape_stale": 0, "scheduler_closed": 0},
		got.only("inbox", "scrape_stale", "scheduler_closed"))
	require.Empty(t, got.only("wake_latency", "time_slice", "island"))
}

func TestFiftyScrapesAtOnceShowARunningProgram(t *testing.T) {
	w, c := newWorld(t, scheduler.Config{}), patient()
	w.show(t, c)
	w.run(t, func(f *stackful.Fiber) {
		var all sync.WaitGroup
		over := false
		busy := func(f *stackful.Fiber) (any, error) {
			for !over {
				task, err := w.rt.Go("child", func(f *stackful.Fiber) (any, error) { return nil, f.Yield() })
				require.NoError(t, err)
				if _, err := f.Join(task); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}
		for range 5 {
			_, err := w.rt.Go("busy", busy)
			require.NoError(t, err)
		}
		w.beside(t, f, func() {
			for range 50 {
				all.Go(func() {
					got := scrape(t, c)
					got.conserves(t)
					require.Zero(t, got["scrape_stale"])
				})
			}
			all.Wait()
		})
		over = true
	})
}

func TestSeveralSchedulersAreInOneCollector(t *testing.T) {
	c := patient()
	a, b := scheduler.New[int](scheduler.Config{}), scheduler.New[int](scheduler.Config{})
	sa, err := c.Add(metrics.Scheduler{Name: "a", Core: &a.Core})
	require.NoError(t, err)
	_, err = c.Add(metrics.Scheduler{Name: "a", Core: &b.Core})
	require.ErrorContains(t, err, `"a"`)
	sb, err := c.Add(metrics.Scheduler{Name: "b", Core: &b.Core})
	require.NoError(t, err)
	_, _ = b.Spawn(0)
	a.Close()
	b.Close()
	sa.Read()
	sb.Read()
	got := scrape(t, c)
	require.Equal(t, series{`fibers_spawned_total{scheduler="a"}`: 0, `fibers_spawned_total{scheduler="b"}`: 1}, got.only("fibers_spawned"))
	sa.Remove()
	sa.Remove()
	require.Equal(t, series{`fibers_spawned_total{scheduler="b"}`: 1}, scrape(t, c).only("fibers_spawned"))
	_, err = c.Add(metrics.Scheduler{Name: "a", Core: &a.Core})
	require.NoError(t, err)
}

func TestASchedulerWithoutANameOrCoreIsRefused(t *testing.T) {
	c := patient()
	s := scheduler.New[int](scheduler.Config{})
	for _, wrong := range []metrics.Scheduler{{Name: "a"}, {Core: &s.Core}, {Name: "\xff", Core: &s.Core}} {
		_, err := c.Add(wrong)
		require.ErrorContains(t, err, "metrics: Scheduler.")
	}
}
