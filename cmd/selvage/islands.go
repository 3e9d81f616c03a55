package main

import (
	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/islands"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/metrics"
)

// islandsOf tells of the islands of the program while it runs; nil: its language has none. Any goroutine may call it.
type islandsOf func() *island.Registry

// registry is nil if the program has no islands.
func (of islandsOf) registry() *island.Registry {
	if of == nil {
		return nil
	}
	return of()
}

// inspected are the islands for the inspector.
func (of islandsOf) inspected() []inspect.Scheduler { return islands.Of(of.registry()) }

// measured are the islands for the metrics.
func (of islandsOf) measured() (all []metrics.Scheduler) {
	if r := of.registry(); r != nil {
		for _, i := range r.Islands() {
			all = append(all, metrics.Scheduler{Name: i.Name(), Core: i.Scheduler(), Island: i})
		}
	}
	return all
}
