package metrics

import "github.com/prometheus/client_golang/prometheus"

// scrapeFamilies are of the scrape itself, and of what it finds without the owner.
func scrapeFamilies() []family {
	return []family{
		own("inbox_commands", "Commands of other goroutines that the owner of the scheduler has not taken.", func(v view) float64 { return float64(v.queued) }),
		own("inbox_capacity_commands", "How many such commands may wait; further ones are refused.", func(v view) float64 { return float64(v.capacity) }),
		own("scrape_stale", "1 if the owner has not answered in time, so that its numbers are those of an earlier moment; else 0.", func(v view) float64 { return number(!v.fresh) }),
		own("scheduler_closed", "1 if the scheduler was closed, so that its numbers are the last ones; else 0.", func(v view) float64 { return number(v.closed) }),
		age(),
	}
}

// own is a family of one number that needs no answer.
func own(name, help string, of func(view) float64) family {
	return family{name: name, help: help, kind: prometheus.GaugeValue, values: func(v view, add func(float64, ...string)) { add(of(v)) }}
}

func age() family {
	f := own("scrape_age_seconds", "How old the numbers of the scheduler are.", func(v view) float64 { return v.age.Seconds() })
	f.needsReading = true
	return f
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
