package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/selvage-dev/selvage/quota"
)

// resource is what a quota is of.
type resource struct {
	name, unit, help string
	of               func(quota.Limits) float64
}

func resources() []resource {
	return []resource{
		{"steps", "", "instructions, and the work of builtins in the same unit", func(l quota.Limits) float64 { return float64(l.Steps) }},
		{"memory", "_bytes", "bytes of memory", func(l quota.Limits) float64 { return float64(l.Memory) }},
		{"fibers", "", "fibers that have not ended", func(l quota.Limits) float64 { return float64(l.Fibers) }},
		{"timers", "", "deadlines and alarms that are set", func(l quota.Limits) float64 { return float64(l.Timers) }},
		{"operations", "", "asynchronous operations that have not ended", func(l quota.Limits) float64 { return float64(l.Operations) }},
		{"output", "_bytes", "bytes of output", func(l quota.Limits) float64 { return float64(l.Output) }},
		{"time", "_seconds", "time in which it had fibers", func(l quota.Limits) float64 { return l.Time.Seconds() }},
	}
}

// groupFamilies are of the Groups that have fibers. What such a Group has used is a gauge: when the Group ends, its
// amount goes.
func groupFamilies() []family {
	all := []family{gauge("groups", "Groups of fibers that have fibers, also those that are not shown by name.", func(r *reading) float64 { return float64(r.groupCount) })}
	for _, res := range resources() {
		all = append(all,
			groupFamily("group_"+res.name+res.unit, "What a group of fibers, with those below it, uses: "+res.help+".", func(g group) (float64, bool) {
				return res.of(quota.Limits(g.spent)), true
			}),
			groupFamily("group_"+res.name+"_limit"+res.unit, "What a group of fibers may use at most: "+res.help+".", func(g group) (float64, bool) {
				limit := res.of(g.limits)
				return limit, limit != 0
			}))
	}
	return all
}

func groupFamily(name, help string, of func(group) (n float64, is bool)) family {
	return split(name, help, "group", prometheus.GaugeValue, func(r *reading, add func(float64, string)) {
		for _, g := range r.groups {
			if n, is := of(g); is {
				add(n, g.name)
			}
		}
	})
}
