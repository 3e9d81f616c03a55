package islands

import (
	"fmt"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/pool"
)

// Of are the present islands of a registry, in the order of their numbers; none if it is nil. Any goroutine may
// call it.
func Of(r *island.Registry) []inspect.Scheduler {
	if r == nil {
		return nil
	}
	var all []inspect.Scheduler
	for _, i := range r.Islands() {
		all = append(all, of(i))
	}
	return all
}

// Workers are the schedulers of a pool's workers, in their order: as islands, or without a Config.Registry by
// the names "worker 0", "worker 1" and so on. Any goroutine may call it. Before and after the run of the
// pool they belong to the caller, which marks them as Mine.
func Workers[T any](p *pool.Pool[T]) []inspect.Scheduler {
	var all []inspect.Scheduler
	for n, s := range p.Schedulers() {
		if i := p.Island(n); i != nil {
			all = append(all, of(i))
			continue
		}
		all = append(all, inspect.Scheduler{Name: fmt.Sprint("worker ", n), Core: &s.Core})
	}
	return all
}

func of(i *island.Island) inspect.Scheduler {
	return inspect.Scheduler{Name: i.Name(), Core: i.Scheduler(), Ends: func() []inspect.End { return ends(i) }}
}

func ends(of *island.Island) []inspect.End {
	var all []inspect.End
	for _, e := range of.Ends() {
		end := inspect.End{Port: e.Port, Capacity: e.Capacity, Waiting: e.Waiting}
		if e.To != nil {
			end.To = e.To.Name()
		}
		for _, from := range e.Senders {
			end.Senders = append(end.Senders, inspect.EndSender{From: from.From.Name(), Values: from.Values})
		}
		all = append(all, end)
	}
	return all
}
