package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/selvage-dev/selvage/metrics"
	"github.com/selvage-dev/selvage/scheduler"
)

// Prometheus reads how many fibers there are. The scheduler is closed, so its last numbers are shown.
func ExampleCollector() {
	s := scheduler.New[int](scheduler.Config{})
	collector := metrics.New(metrics.Config{})
	source, err := collector.Add(metrics.Scheduler{Name: "main", Core: &s.Core})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector)

	_, _ = s.Spawn(0)
	source.Read()
	s.Close()

	answer := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(answer.Body.String()) {
		if strings.HasPrefix(line, "selvage_fibers{") {
			fmt.Print(line)
		}
	}
	// Output:
	// selvage_fibers{scheduler="main",state="blocked"} 0
	// selvage_fibers{scheduler="main",state="held"} 0
	// selvage_fibers{scheduler="main",state="runnable"} 1
	// selvage_fibers{scheduler="main",state="running"} 0
}
