package metrics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
)

// What a zero Config means.
const (
	defaultDeadline = time.Second
	defaultGroups   = 100
)

// Config is what a Collector is made with. The zero Config is usable.
type Config struct {
	// Deadline is how long a scrape waits at most for the owners of all schedulers together; 0 or less is a
	// second. Keep it below the scrape_timeout of the Prometheus server.
	Deadline time.Duration
	// Groups is how many names of Groups are shown for each scheduler at most, so that a guest cannot make
	// time series without bound: the names of the lowest group numbers. 0 or less is 100.
	Groups int
	// Follow lists schedulers that come and go, such as islands; nil: there are none. Each scrape calls it, one
	// at a time, and shows from then on those that are in the list, and no longer those that are not; a scheduler
	// is the same if its Core is. One that was added by Add stays as it is, and gets its Island from the list.
	// Their names may come from guests: they are made valid, cut to 128 bytes, and unique, by a number behind
	// them. Follow returns at once and does not scrape.
	Follow func() []Scheduler
}

// Collector collects the metrics of any number of schedulers, which the label scheduler tells apart. Register it
// in a prometheus.Registry. It is safe for concurrent use.
type Collector struct {
	deadline time.Duration
	groups   int
	families []described
	ofPools  poolDescs
	now      func() time.Time
	list     func() []Scheduler // Config.Follow

	following sync.Mutex // held for a call of list, and until sources are as it says

	mu      sync.Mutex
	sources []*Source    // in the order in which they came
	pools   []*shownPool // in the order of AddPool
}

// New makes a Collector without schedulers.
func New(cfg Config) *Collector {
	if cfg.Deadline <= 0 {
		cfg.Deadline = defaultDeadline
	}
	if cfg.Groups <= 0 {
		cfg.Groups = defaultGroups
	}
	return &Collector{deadline: cfg.Deadline, groups: cfg.Groups, families: describe(families()), ofPools: describePools(), now: time.Now, list: cfg.Follow}
}

// Add has the Collector show a scheduler from the next scrape on. Any goroutine may call it. Errors: the name is
// missing, taken, or no UTF-8; the Core is missing.
func (c *Collector) Add(s Scheduler) (*Source, error) {
	switch {
	case s.Core == nil:
		return nil, errors.New("metrics: Scheduler.Core is nil: give the scheduler's Core")
	case s.Name == "" || !utf8.ValidString(s.Name):
		return nil, fmt.Errorf("metrics: Scheduler.Name is %q: give a name in UTF-8, the value of the label scheduler", s.Name)
	}
	source := newSource(c, s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isTaken(s.Name) {
		return nil, fmt.Errorf("metrics: a scheduler with the name %q is shown already: give another name, or Remove that one", s.Name)
	}
	c.sources = append(c.sources, source)
	return source, nil
}

// isTaken tells whether a scheduler has the name. The caller holds mu.
func (c *Collector) isTaken(name string) bool {
	return slices.ContainsFunc(c.sources, func(o *Source) bool { return o.of.Name == name })
}

// Describe is the Collector's for a prometheus.Registry: it sends the description of every metric.
func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, f := range c.families {
		ch <- f.desc
	}
	ch <- c.ofPools.workers
	ch <- c.ofPools.payloads
}

// Collect is the Collector's for a prometheus.Registry. It asks the owners of all schedulers at once, waits for
// them until Config.Deadline, and sends what is known then. Scrapes at the same time share one question to each owner.
func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	deadline, stop := context.WithTimeout(context.Background(), c.deadline)
	defer stop()
	c.collect(deadline, ch)
}

func (c *Collector) collect(deadline context.Context, ch chan<- prometheus.Metric) {
	c.follow()
	c.mu.Lock()
	sources, pools := slices.Clone(c.sources), slices.Clone(c.pools)
	c.mu.Unlock()
	answers := make([]<-chan struct{}, len(sources))
	queued := make([]int, len(sources))
	for i, s := range sources {
		queued[i], _ = s.inbox.Queued() // before the question, which would count
		answers[i] = s.ask()
	}
	for i, s := range sources {
		fresh := answered(answers[i], deadline)
		c.show(s.look(fresh, queued[i]), s.of.Name, ch)
	}
	for _, p := range pools {
		c.ofPools.show(p, ch)
	}
}

// answered tells whether the answer, nil if none will come, has come before the deadline.
func answered(answer <-chan struct{}, deadline context.Context) bool {
	if answer == nil {
		return false
	}
	select {
	case <-answer:
		return true
	default:
	}
	select {
	case <-answer:
		return true
	case <-deadline.Done():
		return false
	}
}

// show sends one metric for each time series of a scheduler.
func (c *Collector) show(v view, name string, ch chan<- prometheus.Metric) {
	if v.ended {
		return
	}
	for _, f := range c.families {
		if f.needsReading && v.reading == nil {
			continue
		}
		if f.histogram != nil {
			if h := f.histogram(v.reading); h != nil {
				ch <- constHistogram(f.desc, h, name)
			}
			continue
		}
		f.values(v, func(value float64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(f.desc, f.kind, value, append([]string{name}, labels...)...)
		})
	}
}
