package metrics_test

import (
	"context"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// patient is for tests in which the owner answers.
func patient() *metrics.Collector { return metrics.New(metrics.Config{Deadline: patience}) }

// patience is for what hangs.
const patience = time.Hour

// text is what Prometheus would get.
func text(t require.TestingT, c prometheus.Collector) string {
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(c))
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, w.Code, w.Body)
	return w.Body.String()
}

// series are the values by name and labels, in one scheduler without the label of that.
type series map[string]float64

func scrape(t require.TestingT, c prometheus.Collector) series {
	all := series{}
	for line := range strings.Lines(text(t, c)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		n, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		require.NoError(t, err)
		all[short(line[:at])] = n
	}
	return all
}

func short(name string) string {
	name = strings.TrimPrefix(name, "selvage_")
	for _, mark := range []string{`,scheduler="main"`, `scheduler="main",`, `{scheduler="main"}`} {
		name = strings.ReplaceAll(name, mark, "")
	}
	return name
}

// only are the series whose names begin so.
func (s series) only(prefixes ...string) series {
	some := series{}
	for name, n := range s {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				some[name] = n
			}
		}
	}
	return some
}

// of are the series of another scheduler than main.
func (s series) of(scheduler string) series {
	some := series{}
	for name, n := range s {
		label := `scheduler="` + scheduler + `"`
		if !strings.Contains(name, label) {
			continue
		}
		for _, mark := range []string{"," + label, label + ",", "{" + label + "}"} {
			name = strings.ReplaceAll(name, mark, "")
		}
		some[name] = n
	}
	return some
}

// scrapeUntil scrapes again and again.
func scrapeUntil(stop <-chan struct{}, over chan<- struct{}, t require.TestingT, c *metrics.Collector, look func(series)) {
	defer close(over)
	for {
		select {
		case <-stop:
			return
		default:
			look(scrape(t, c))
		}
	}
}

// conserves is I12 of one scrape.
func (s series) conserves(t require.TestingT) {
	live := 0.0
	for _, state := range []string{"runnable", "held", "running", "blocked"} {
		live += s[`fibers{state="`+state+`"}`]
	}
	require.Equal(t, s["fibers_spawned_total"]+s["fibers_moved_in_total"], live+s["fibers_ended_total"]+s["fibers_moved_out_total"])
}

// world is a program whose fibers can scrape their own scheduler: on another goroutine, for which they wait.
type world struct {
	rt   *stackful.Runtime
	pool *blocking.Pool
}

func newWorld(t *testing.T, cfg scheduler.Config) *world {
	cfg.Clock = wallclock.New()
	rt := stackful.New(stackful.Config{Config: cfg})
	t.Cleanup(rt.Close)
	pool, err := blocking.New(&rt.Scheduler().Core, blocking.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close(context.Background())) })
	return &world{rt, pool}
}

func (w *world) core() *scheduler.Core { return &w.rt.Scheduler().Core }

// show has the collector show the scheduler.
func (w *world) show(t *testing.T, c *metrics.Collector) *metrics.Source {
	source, err := c.Add(metrics.Scheduler{Name: "main", Core: w.core()})
	require.NoError(t, err)
	return source
}

// run runs the main fiber, with which the others end.
func (w *world) run(t *testing.T, main func(*stackful.Fiber)) {
	_, err := w.rt.GoWith("main", func(f *stackful.Fiber) (any, error) {
		main(f)
		return nil, nil
	}, scheduler.Options{Main: true})
	require.NoError(t, err)
	require.NoError(t, w.rt.Run(long.Context(t)))
}

// beside does something on another goroutine while the fiber waits.
func (w *world) beside(t require.TestingT, f *stackful.Fiber, do func()) {
	_, err := f.Operate(func(tok fiber.Token) error {
		return w.pool.Submit(tok, func(context.Context) (any, error) {
			do()
			return nil, nil
		})
	})
	require.NoError(t, err)
}
