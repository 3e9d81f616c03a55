package metrics

import "github.com/prometheus/client_golang/prometheus"

// outsideFamilies are of what fibers wait for that comes from outside: timers, operations, commands.
func outsideFamilies() []family {
	return []family{
		gauge("timers", "Deadlines and alarms that are set.", func(r *reading) float64 { return float64(r.timers) }),
		split("operations", "Asynchronous operations that have not ended, by state.", "state", prometheus.GaugeValue, func(r *reading, add func(float64, string)) {
			add(float64(r.inFlight.submitted), "submitted")
			add(float64(r.inFlight.awaited), "awaited")
			add(float64(r.inFlight.complete), "complete")
			add(float64(r.inFlight.abandoned), "abandoned")
		}),
		counter("operations_submitted_total", "Asynchronous operations that were begun.", func(r *reading) uint64 { return r.operations.Submitted }),
		counter("operations_completed_total", "Asynchronous operations that were completed for their fiber.", func(r *reading) uint64 { return r.operations.Completed }),
		counter("operations_abandoned_total", "Asynchronous operations that were given up before they were completed.", func(r *reading) uint64 { return r.operations.Abandoned }),
		counter("operations_refused_total", "Attempts to begin an operation at the limit of operations.", func(r *reading) uint64 { return r.operations.Refused }),
		counter("completions_dropped_total", "Results of operations that no fiber took.", func(r *reading) uint64 { return r.operations.Dropped }),
		{
			name: "island_commands_total", help: "Commands of other islands, by result.",
			labels: []string{"result"}, kind: prometheus.CounterValue, needsReading: true,
			values: func(v view, add func(float64, ...string)) {
				if v.island {
					add(float64(v.executed), "executed")
					add(float64(v.refused), "refused")
				}
			},
		},
	}
}
