package metrics

import "github.com/prometheus/client_golang/prometheus"

// fiberFamilies are of the fibers and native calls. At each scrape spawned and moved in are together as many as ended, moved
// out and those in a state (I12).
func fiberFamilies() []family {
	return []family{
		split("fibers", "Fibers that have not ended, by state; held ones are ready and paused, or their group is stopped.", "state", prometheus.GaugeValue, func(r *reading, add func(float64, string)) {
			add(float64(r.fibers.runnable), "runnable")
			add(float64(r.fibers.held), "held")
			add(float64(r.fibers.running), "running")
			add(float64(r.fibers.blocked), "blocked")
		}),
		counter("fibers_spawned_total", "Fibers that were spawned.", func(r *reading) uint64 { return r.counts.Spawned }),
		counter("fibers_ended_total", "Fibers that have ended, the killed ones included.", func(r *reading) uint64 { return r.counts.Ended }),
		counter("fibers_killed_total", "Fibers that have ended by a kill.", func(r *reading) uint64 { return r.counts.Killed }),
		counter("fibers_moved_in_total", "Fibers that came from another scheduler.", func(r *reading) uint64 { return r.counts.MovedIn }),
		counter("fibers_moved_out_total", "Fibers that went to another scheduler.", func(r *reading) uint64 { return r.counts.MovedOut }),
		counter("results_lost_total", "Results that were assigned to a fiber which did not collect them.", func(r *reading) uint64 { return r.counts.Lost }),
		counter("wakeups_refused_total", "Wake-ups for which no fiber waited. A program counts none unless it decides on a wake-up twice.", func(r *reading) uint64 { return r.counts.RefusedWakes }),
		counter("slots_retired_total", "Slots for fibers and native calls that have used up their generations.", func(r *reading) uint64 { return r.counts.Retired }),
		gauge("native_calls", "Native calls in flight.", func(r *reading) float64 { return float64(r.calls) }),
	}
}
