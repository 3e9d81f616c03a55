package metrics

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
)

// Pool is a *pool.Pool of any payload.
type Pool interface {
	Counts() (workers, idle, queued int)
}

// shownPool is a Pool with its name.
type shownPool struct {
	name string
	Pool
}

// AddPool has the Collector show how busy a pool is, with the value of the label pool, until remove is called. The
// schedulers of its workers (pool.Pool.Schedulers) are shown if they are added too. Any goroutine may call both.
// Errors: the name is missing, taken, or no UTF-8; there is no Pool.
func (c *Collector) AddPool(name string, p Pool) (remove func(), err error) {
	switch {
	case p == nil:
		return nil, fmt.Errorf("metrics: the pool %q is nil: give a *pool.Pool", name)
	case name == "" || !utf8.ValidString(name):
		return nil, fmt.Errorf("metrics: the name of the pool is %q: give a name in UTF-8, the value of the label pool", name)
	}
	shown := &shownPool{name, p}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.pools, func(o *shownPool) bool { return o.name == name }) {
		return nil, fmt.Errorf("metrics: a pool with the name %q is shown already: give another name, or remove that one", name)
	}
	c.pools = append(c.pools, shown)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pools = slices.DeleteFunc(c.pools, func(o *shownPool) bool { return o == shown })
	}, nil
}

// poolDescs are the descriptions of what is shown of pools.
type poolDescs struct{ workers, payloads *prometheus.Desc }

func describePools() poolDescs {
	return poolDescs{
		prometheus.NewDesc(prefix+"pool_workers", "Workers of a pool, by state; idle ones have nothing to run.", []string{"pool", "state"}, nil),
		prometheus.NewDesc(prefix+"pool_payloads", "Payloads that wait for a worker of a pool.", []string{"pool"}, nil),
	}
}

func (d poolDescs) show(p *shownPool, ch chan<- prometheus.Metric) {
	workers, idle, queued := p.Counts()
	gauge := func(desc *prometheus.Desc, n int, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(n), labels...)
	}
	gauge(d.workers, workers-idle, p.name, "busy")
	gauge(d.workers, idle, p.name, "idle")
	gauge(d.payloads, queued, p.name)
}
