package replay

import (
	"container/heap"

	"github.com/selvage-dev/selvage/fiber"
)

// timer is a live deadline, of a wait or of a grace period.
type timer struct {
	at    fiber.Time
	order uint64 // equal deadlines come in the order they were registered
	root  *root
	alone bool // of a Timer wait
	grace bool
	index int
}

// timers are the live deadlines. The zero value is ready.
type timers struct {
	heap  deadlines
	count uint64
}

func (t *timers) add(d *timer) *timer {
	t.count++
	d.order = t.count
	heap.Push(&t.heap, d)
	return d
}

func (t *timers) remove(d *timer) { heap.Remove(&t.heap, d.index) }

// earliest is what time brings next, or nil.
func (t *timers) earliest() *timer {
	if len(t.heap) == 0 {
		return nil
	}
	return t.heap[0]
}

// fiber is what the deadline is for.
func (d *timer) fiber() fiber.ID {
	if d.grace {
		return d.root.id
	}
	return d.root.top().id
}

// alike is the timer with the deadline of d that is wanted, or d if there is none.
func (t *timers) alike(d *timer, wanted func(*timer) bool) *timer {
	for _, other := range t.heap {
		if other.at == d.at && wanted(other) {
			return other
		}
	}
	return d
}

type deadlines []*timer

func (d deadlines) Len() int { return len(d) }

func (d deadlines) Less(i, j int) bool {
	if d[i].at != d[j].at {
		return d[i].at < d[j].at
	}
	return d[i].order < d[j].order
}

func (d deadlines) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].index, d[j].index = i, j
}

func (d *deadlines) Push(x any) {
	t := x.(*timer)
	t.index = len(*d)
	*d = append(*d, t)
}

func (d *deadlines) Pop() any {
	last := len(*d) - 1
	t := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	return t
}
