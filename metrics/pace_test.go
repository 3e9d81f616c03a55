package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestAHistogramHasEveryDurationInOneBucket(t *testing.T) {
	h := recorder.Histogram{Sum: 3 * time.Second}
	h.Counts[0], h.Counts[3], h.Counts[8], h.Counts[9], h.Counts[20], h.Counts[34], h.Counts[39] = 1, 2, 4, 8, 16, 32, 64
	desc := prometheus.NewDesc("h", "Help.", []string{"scheduler"}, nil)
	c := prometheus.CollectorFunc(func(ch chan<- prometheus.Metric) { ch <- constHistogram(desc, &h, "main") })
	require.NoError(t, testutil.CollectAndCompare(c, strings.NewReader(`# HELP h Help.
# TYPE h histogram
h_bucket{scheduler="main",le="2.56e-07"} 7
h_bucket{scheduler="main",le="1.024e-06"} 15
h_bucket{scheduler="main",le="4.096e-06"} 15
h_bucket{scheduler="main",le="1.6384e-05"} 15
h_bucket{scheduler="main",le="6.5536e-05"} 15
h_bucket{scheduler="main",le="0.000262144"} 15
h_bucket{scheduler="main",le="0.001048576"} 31
h_bucket{scheduler="main",le="0.004194304"} 31
h_bucket{scheduler="main",le="0.016777216"} 31
h_bucket{scheduler="main",le="0.067108864"} 31
h_bucket{scheduler="main",le="0.268435456"} 31
h_bucket{scheduler="main",le="1.073741824"} 31
h_bucket{scheduler="main",le="4.294967296"} 31
h_bucket{scheduler="main",le="17.179869184"} 63
h_bucket{scheduler="main",le="+Inf"} 127
h_sum{scheduler="main"} 3
h_count{scheduler="main"} 127
`)))
}

// The clock goes on by a millisecond each time that it is read, and each slice is a reading.
func TestTheHistogramsAreOfTheRecorder(t *testing.T) {
	now := int64(0)
	r := recorder.New(recorder.Config{Accounts: true, Exact: true, Clock: func() int64 { now += int64(time.Millisecond); return now }})
	var cfg scheduler.Config
	r.Configure(&cfg)
	s := scheduler.New[int](cfg)
	r.Attach(&s.Core)
	c := New(Config{})
	source, err := c.Add(Scheduler{Name: "main", Core: &s.Core, Recorder: r})
	require.NoError(t, err)
	for range 3 {
		_, _ = s.Spawn(0)
	}
	require.NoError(t, s.Run(t.Context(), scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
		return fiber.Outcome{Kind: fiber.Done}
	})))
	last := source.read()
	require.EqualValues(t, 3, last.slices.Count())
	require.EqualValues(t, 0, last.unrecorded)
	wakes, slices, _ := r.Histograms()
	require.Equal(t, wakes, *last.wakes)
	require.Equal(t, slices, *last.slices)
}

func TestTheAgeIsSinceTheLastAnswer(t *testing.T) {
	c, now := New(Config{Deadline: time.Nanosecond}), time.Unix(1000, 0)
	c.now = func() time.Time { return now }
	s := scheduler.New[int](scheduler.Config{})
	source, err := c.Add(Scheduler{Name: "main", Core: &s.Core})
	require.NoError(t, err)
	source.Read()
	now = now.Add(3500 * time.Millisecond)
	require.NoError(t, testutil.CollectAndCompare(c, strings.NewReader(`# HELP selvage_scrape_age_seconds How old the numbers of the scheduler are.
# TYPE selvage_scrape_age_seconds gauge
selvage_scrape_age_seconds{scheduler="main"} 3.5
`), "selvage_scrape_age_seconds"))
}
