package metrics

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/scheduler"
)

// follow shows the schedulers that Config.Follow lists now. One call at a time lists and changes, so that an older
// list cannot bring back what a newer one has left out.
func (c *Collector) follow() {
	if c.list == nil {
		return
	}
	c.following.Lock()
	defer c.following.Unlock()
	for _, gone := range c.update(c.list()) {
		gone.retire()
	}
}

// update returns the followed sources that are not in the list.
func (c *Collector) update(all []Scheduler) (gone []*Source) {
	listed := map[*scheduler.Core]Scheduler{}
	for _, s := range all {
		listed[s.Core] = s
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := map[*scheduler.Core]bool{nil: true}
	c.sources = slices.DeleteFunc(c.sources, func(s *Source) bool {
		now, is := listed[s.of.Core]
		if s.followed && !is {
			gone = append(gone, s)
			return true
		}
		known[s.of.Core] = true
		if now.Island != nil {
			s.isle.Store(now.Island)
		}
		return false
	})
	for _, s := range all {
		if !known[s.Core] {
			known[s.Core] = true
			s.Name = c.free(s.Name)
			source := newSource(c, s)
			source.followed = true
			c.sources = append(c.sources, source)
		}
	}
	return gone
}

// free is the name as a label that no scheduler has. The caller holds mu.
func (c *Collector) free(name string) string {
	name = cmp.Or(label(name), "scheduler")
	free := name
	for n := 2; c.isTaken(free); n++ {
		free = fmt.Sprintf("%s (%d)", name, n)
	}
	return free
}
