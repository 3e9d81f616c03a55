package metrics

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/selvage-dev/selvage/recorder"
)

// paceFamilies are of how fast fibers take turns.
func paceFamilies() []family {
	return []family{
		counter("transitions_total", "Changes of the state of a fiber or native call, without the beginnings of time slices.", func(r *reading) uint64 { return r.transitions }),
		counter("transitions_unrecorded_total", "Changes of state that came too fast for the recorder.", func(r *reading) uint64 { return r.unrecorded }),
		gauge("clock_seconds", "The time of the scheduler since its start.", func(r *reading) float64 { return r.clock.Seconds() }),
		{
			name: "wake_latency_seconds", help: "How long fibers were ready before they ran.", needsReading: true,
			histogram: func(r *reading) *recorder.Histogram { return r.wakes },
		},
		{
			name: "time_slice_seconds", help: "How long time slices took; their number is how often fibers took turns.", needsReading: true,
			histogram: func(r *reading) *recorder.Histogram { return r.slices },
		},
	}
}

// Buckets end at powers of four of nanoseconds, from 256 ns to 17 s: each has two of the recorder's.
const (
	firstBucket = 8
	lastBucket  = 34
)

// constHistogram is the recorder's histogram. A duration of exactly the end of a bucket is in the next one.
func constHistogram(desc *prometheus.Desc, h *recorder.Histogram, name string) prometheus.Metric {
	buckets, below := map[float64]uint64{}, uint64(0)
	for i, n := range h.Counts {
		below += n
		if i >= firstBucket && i <= lastBucket && i%2 == 0 {
			buckets[math.Ldexp(1, i)/1e9] = below
		}
	}
	return prometheus.MustNewConstHistogram(desc, below, h.Sum.Seconds(), buckets, name)
}
