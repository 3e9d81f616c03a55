package metrics_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/scheduler"
)

// followed are the islands of a registry in a Collector whose scrapes wait as long as the owners take.
func followed(r *island.Registry) *metrics.Collector {
	return following(func() (all []metrics.Scheduler) {
		for _, i := range r.Islands() {
			all = append(all, metrics.Scheduler{Name: i.Name(), Core: i.Scheduler(), Island: i})
		}
		return all
	})
}

func following(list func() []metrics.Scheduler) *metrics.Collector {
	return metrics.New(metrics.Config{Deadline: patience, Follow: list})
}

// startIsland starts an island without fibers, and returns what ends it.
func startIsland(t *testing.T, r *island.Registry, name string) (end func()) {
	h, err := island.Start(r, island.StartConfig[int]{
		Config: island.Config{Name: name, KeepAlive: true, ProbeAfter: -1},
		Machine: scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			return fiber.Outcome{Kind: fiber.Done}
		}),
	})
	require.NoError(t, err)
	return func() {
		h.Shutdown(nil)
		_ = h.Wait(long.Context(t)) // nil, or what Shutdown was given
	}
}

// names are the schedulers that a scrape has, and each has a number of its own answer.
func names(t *testing.T, all series) map[string]bool {
	found := map[string]bool{}
	for key := range all {
		_, rest, _ := strings.Cut(key, `scheduler="`)
		name, _, _ := strings.Cut(rest, `"`)
		found[name] = true
	}
	for name := range found {
		require.Contains(t, all.of(name), "fibers_spawned_total")
	}
	return found
}

func TestIslandsAreShownFromTheirBeginningToTheirEnd(t *testing.T) {
	r := new(island.Registry)
	c := followed(r)
	require.Empty(t, scrape(t, c))
	endA, endB := startIsland(t, r, "a"), startIsland(t, r, "b")
	all := scrape(t, c)
	require.Equal(t, map[string]bool{"a": true, "b": true}, names(t, all))
	require.Contains(t, all.of("a"), `island_commands_total{result="executed"}`)
	endB()
	require.Equal(t, map[string]bool{"a": true}, names(t, scrape(t, c)))
	endB = startIsland(t, r, "b")
	require.Equal(t, map[string]bool{"a": true, "b": true}, names(t, scrape(t, c)))
	endA()
	endB()
	require.Empty(t, scrape(t, c))
}

// Four scrapers look while islands of the same few names begin and end. No scrape fails, which one with a series twice
// would, or waits for an island that has ended, which would take an hour.
func TestScrapesGoOnWhileIslandsComeAndGo(t *testing.T) {
	r := new(island.Registry)
	c := followed(r)
	stop := make(chan struct{})
	var scrapers, makers sync.WaitGroup
	for range 4 {
		over := make(chan struct{})
		scrapers.Go(func() {
			scrapeUntil(stop, over, t, c, func(all series) {
				for name := range names(t, all) {
					all.of(name).conserves(t)
				}
			})
		})
	}
	for maker := range 3 {
		makers.Go(func() {
			for range 30 {
				startIsland(t, r, fmt.Sprint("island ", maker))()
			}
		})
	}
	makers.Wait()
	close(stop)
	scrapers.Wait()
	require.Empty(t, scrape(t, c))
}

func TestNamesOfFollowedSchedulersAreMadeValidAndUnique(t *testing.T) {
	var all []metrics.Scheduler
	for _, name := range []string{"main", "x", "x", "", "\xff", strings.Repeat("y", 200), strings.Repeat("y", 201)} {
		s := scheduler.New[int](scheduler.Config{})
		all = append(all, metrics.Scheduler{Name: name, Core: &s.Core})
	}
	c := metrics.New(metrics.Config{Deadline: 1, Follow: func() []metrics.Scheduler { return append(all, metrics.Scheduler{Name: "none"}, all[1]) }})
	_, err := c.Add(metrics.Scheduler{Name: "main", Core: &scheduler.New[int](scheduler.Config{}).Core})
	require.NoError(t, err)
	for range 2 {
		got := text(t, c)
		for _, name := range []string{"main", "main (2)", "x", "x (2)", "scheduler", "\uFFFD", strings.Repeat("y", 128), strings.Repeat("y", 128) + " (2)"} {
			require.Equal(t, 1, strings.Count(got, `selvage_scrape_stale{scheduler="`+name+`"}`), name)
		}
		require.Equal(t, 8, strings.Count(got, "selvage_scrape_stale{"))
	}
}

// What Add shows is not shown a second time, and stays when the list leaves it out.
func TestAnAddedSchedulerGetsItsIslandFromTheList(t *testing.T) {
	r := new(island.Registry)
	c := followed(r)
	s := scheduler.New[int](scheduler.Config{Number: r.Number()})
	source, err := c.Add(metrics.Scheduler{Name: "main", Core: &s.Core})
	require.NoError(t, err)
	isle, err := r.Join(&s.Core, island.Config{Name: "first"})
	require.NoError(t, err)
	got := make(chan series)
	look := func() series {
		go func() { got <- scrape(t, c) }()
		for {
			select {
			case all := <-got:
				return all
			default:
				s.Poll()
			}
		}
	}
	all := look()
	require.Contains(t, all, `island_commands_total{result="executed"}`)
	require.Empty(t, all.of("first"))
	isle.Leave(nil)
	require.Contains(t, look(), "fibers_spawned_total")
	source.Remove()
	require.Empty(t, scrape(t, c))
}

// The owner never answers; the scrape that waits for it is let go by the next one, whose list is without it.
func TestAScrapeDoesNotWaitForASchedulerThatIsLeftOut(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	list := make(chan []metrics.Scheduler, 2)
	list <- []metrics.Scheduler{{Name: "gone", Core: &s.Core}}
	list <- nil
	c := following(func() []metrics.Scheduler { return <-list })
	first := make(chan series)
	go func() { first <- scrape(t, c) }()
	for n := 0; n == 0; n, _ = s.Inbox().Queued() {
		s.Inbox().Notify()
	}
	require.Empty(t, scrape(t, c))
	require.Empty(t, <-first)
	s.Poll() // its question is still there
}
