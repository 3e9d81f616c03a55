package inspect

import (
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// view is one snapshot that requests share. Until all have released it, nothing changes it but what is
// filled in later under its lock.
type view struct {
	snapshot scheduler.Snapshot
	waits    *waits // if they were asked for

	// Guarded by views.mu.
	refs  int
	taken time.Time
	ended bool          // no fiber runs any more
	cost  time.Duration // of the owner, for all that was read for this view

	mu     sync.Mutex
	texts  texts
	orders map[order][]int32
	links  *links
}

// waits are what a Report tells beyond the Snapshot of the same moment.
type waits struct {
	cycle []fiber.ID
	stuck [][]fiber.ID
}

// take is the owner's.
func (v *view) take(of scheduler.Inspect, withWaits bool) {
	began := time.Now()
	v.snapshot = of.Snapshot(v.snapshot)
	v.waits = nil
	if withWaits {
		v.waits = waitsOf(of.Report())
	}
	v.taken = time.Now()
	v.cost = v.taken.Sub(began)
}

func waitsOf(r *scheduler.Report) *waits {
	w := &waits{cycle: r.Cycle}
	for i := range r.Stuck {
		var group []fiber.ID
		for _, f := range r.Stuck[i].Fibers {
			group = append(group, f.ID)
		}
		w.stuck = append(w.stuck, group)
	}
	return w
}

// reset makes the view ready to be taken again. Its memory stays.
func (v *view) reset() {
	clear(v.snapshot.Sources) // the objects may go
	v.waits, v.links, v.orders = nil, nil, nil
	v.texts.reset()
}
