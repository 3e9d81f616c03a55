package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/selvage-dev/selvage/recorder"
)

// family is a metric: its name without the prefix, what it is, and how its values are found in what a scrape shows.
type family struct {
	name, help string
	labels     []string // besides scheduler
	kind       prometheus.ValueType
	values     func(v view, add func(value float64, labels ...string))
	histogram  func(*reading) *recorder.Histogram // in place of values; nil: there is no Recorder
	// needsReading says that there is nothing to show before the owner has first answered.
	needsReading bool
}

// described is a family with its description.
type described struct {
	family
	desc *prometheus.Desc
}

func describe(all []family) (list []described) {
	for _, f := range all {
		labels := append([]string{"scheduler"}, f.labels...)
		list = append(list, described{f, prometheus.NewDesc(prefix+f.name, f.help, labels, nil)})
	}
	return list
}

const prefix = "selvage_"

func families() (all []family) {
	for _, some := range [][]family{fiberFamilies(), outsideFamilies(), paceFamilies(), groupFamilies(), scrapeFamilies()} {
		all = append(all, some...)
	}
	return all
}

// counter is a family of one total.
func counter(name, help string, of func(*reading) uint64) family {
	return family{name: name, help: help, kind: prometheus.CounterValue, needsReading: true, values: func(v view, add func(float64, ...string)) {
		add(float64(of(v.reading)))
	}}
}

// gauge is a family of one number.
func gauge(name, help string, of func(*reading) float64) family {
	return family{name: name, help: help, kind: prometheus.GaugeValue, needsReading: true, values: func(v view, add func(float64, ...string)) {
		add(of(v.reading))
	}}
}

// split is a family of numbers that a label tells apart. The function gives the values of the label in turn.
func split(name, help, label string, kind prometheus.ValueType, of func(r *reading, add func(n float64, is string))) family {
	return family{name: name, help: help, labels: []string{label}, kind: kind, needsReading: true, values: func(v view, add func(float64, ...string)) {
		of(v.reading, func(n float64, is string) { add(n, is) })
	}}
}
