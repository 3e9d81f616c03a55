package metrics_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// whole is a Collector in which every metric has a value.
func whole(t *testing.T) *metrics.Collector {
	r := recorder.New(recorder.Config{Accounts: true})
	var cfg scheduler.Config
	r.Configure(&cfg)
	s := scheduler.New[int](cfg)
	r.Attach(&s.Core)
	var registry island.Registry
	is, err := registry.Join(&s.Core, island.Config{Name: "one"})
	require.NoError(t, err)
	limits := quota.Limits{Steps: 1, Memory: 2, Fibers: 3, Timers: 4, Operations: 5, Output: 6, Time: 7}
	_, err = s.SpawnWith(0, scheduler.Options{Group: s.Attachments().NewGroup(nil, "guests", limits)})
	require.NoError(t, err)
	c := patient()
	source, err := c.Add(metrics.Scheduler{Name: "main", Core: &s.Core, Recorder: r, Island: is})
	require.NoError(t, err)
	_, err = c.AddPool("main", newPool(t))
	require.NoError(t, err)
	source.Read()
	s.Close()
	return c
}

func TestPrometheusHasNoRemarksOnTheMetrics(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(whole(t)))
	remarks, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, remarks)
}

// metric is what a table and a scrape have in common.
type metric struct{ name, kind, labels string }

func TestTheDocumentationHasEveryMetric(t *testing.T) {
	page, err := os.ReadFile("../docs/inspect.md")
	require.NoError(t, err)
	documented, collected := map[metric]bool{}, map[metric]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); strings.HasPrefix(line, "| `selvage_") && len(cells) == 4 {
			m := metric{strings.Trim(cells[0], " `"), strings.TrimSpace(cells[1]), sorted(strings.NewReplacer("`", "", ",", " ").Replace(cells[2]))}
			require.False(t, documented[m], m)
			documented[m] = true
		}
	}
	for _, m := range metricsOf(text(t, whole(t))) {
		collected[m] = true
	}
	require.Equal(t, collected, documented)
}

// metricsOf reads a scrape.
func metricsOf(text string) (all []metric) {
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); words[0] == "#" && words[1] == "TYPE" {
			all = append(all, metric{name: words[2], kind: words[3]})
		} else if words[0] != "#" {
			all[len(all)-1].labels = labelsOf(line)
		}
	}
	return all
}

// labelsOf are the names of the labels of a series, but for the one that every histogram has.
func labelsOf(line string) string {
	_, inside, _ := strings.Cut(line, "{")
	inside, _, _ = strings.Cut(inside, "}")
	var names []string
	for _, pair := range strings.Split(inside, ",") {
		if name, _, _ := strings.Cut(pair, "="); name != "le" {
			names = append(names, name)
		}
	}
	return sorted(strings.Join(names, " "))
}

func sorted(names string) string {
	return strings.Join(slices.Sorted(slices.Values(strings.Fields(names))), " ")
}
