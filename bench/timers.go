package main

import (
	"container/heap"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// span is the range of the deadlines of P11, like the timeouts of a busy server.
const span = fiber.Time(time.Hour)

// timers is the store of both contenders of P11: each timer belongs to one of many waits, which
// the store may read.
type timers interface {
	add(n int, at fiber.Time)
	cancel(n int)
	due(now fiber.Time) (n int, ok bool) // takes one
}

// waitTable maps each wait to the number of its current timer; 0 if the wait has ended. Ending a
// wait writes the table, so its timer can stay queued and is recognized as stale.
type waitTable []uint64

// look is the interval at which the loop of P11 checks for due timers.
const look = fiber.Time(10 * time.Millisecond)

// expire is P11: n timers come due, a few at each look, and end their waits.
func expire(make func(waitTable) timers) func(n int) time.Duration {
	return used(make, func(s timers, w waitTable, at []fiber.Time, _ []int, now fiber.Time) time.Duration {
		for i, d := range at {
			w[i] = uint64(now) + uint64(i) + 1
			s.add(i, d)
		}
		came := 0
		start := time.Now()
		for end := now + span + look; now < end; now += look {
			for n, ok := s.due(now); ok; n, ok = s.due(now) {
				w[n] = 0
				came++
			}
		}
		took := time.Since(start)
		if came != len(at) {
			panic("bench: timers were lost")
		}
		return took
	})
}

// addCancel is P11: n timers are added, and their waits end early, in another order.
func addCancel(make func(waitTable) timers) func(n int) time.Duration {
	return used(make, func(s timers, w waitTable, at []fiber.Time, order []int, now fiber.Time) time.Duration {
		start := time.Now()
		for i, d := range at {
			w[i] = uint64(now) + uint64(i) + 1
			s.add(i, d)
		}
		for _, i := range order {
			w[i] = 0
			s.cancel(i)
		}
		took := time.Since(start)
		if _, ok := s.due(now + 2*span); ok {
			panic("bench: a timer came that was cancelled")
		}
		return took
	})
}

// used keeps one store for all samples, so that its memory is already allocated, and lets its
// clock continue between them.
func used(store func(waitTable) timers, run func(s timers, w waitTable, at []fiber.Time, order []int, now fiber.Time) time.Duration) func(int) time.Duration {
	var s timers
	var w waitTable
	now := fiber.Time(0)
	return func(n int) time.Duration {
		if len(w) < n {
			w = make(waitTable, n)
			s = store(w)
		}
		at, order := deadlines(n, now)
		runtime.GC() // the garbage of other rows
		took := run(s, w, at, order, now)
		now += 2 * span
		return took
	}
}

func deadlines(n int, now fiber.Time) (at []fiber.Time, order []int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	at = make([]fiber.Time, n)
	for i := range at {
		at[i] = now + fiber.Time(rnd.Int64N(int64(span)))
	}
	return at, rnd.Perm(n)
}

// onWheel uses the wheel as the scheduler does. A cancel leaves the entry as stale, and compacts
// the wheel when the wheel asks for it. It reads the waits of the next timers together, so that
// no read depends on another.
type onWheel struct {
	w     wheel.Wheel
	waits waitTable
	taken int
	read  uint64
}

func newWheel(w waitTable) timers { return &onWheel{waits: w} }

func (o *onWheel) add(n int, at fiber.Time) {
	o.w.Add(wheel.Entry{Deadline: at, Ticket: fiber.Ticket{ID: fiber.ID(n), Seq: o.waits[n]}})
}

func (o *onWheel) live(e wheel.Entry) bool { return o.waits[e.Ticket.ID] == e.Ticket.Seq }

func (o *onWheel) cancel(int) {
	o.w.NoteStale()
	if o.w.NeedsCompaction() {
		o.w.Compact(o.live)
	}
}

func (o *onWheel) due(now fiber.Time) (n int, ok bool) {
	for {
		if o.taken%16 == 0 {
			for _, e := range o.w.Ahead(16) {
				o.read ^= o.waits[e.Ticket.ID]
			}
		}
		o.taken++
		e, ok := o.w.PopDue(now)
		if !ok || o.live(e) {
			return int(e.Ticket.ID), ok
		}
	}
}

// onHeap is the peer: container/heap as the priority queue of its documentation uses it, with one
// item allocated per timer.
type onHeap struct {
	items []*item // by wait
	heap  []*item
	added uint64
}

type item struct {
	at     fiber.Time
	number uint64 // equal deadlines come in the order of registration
	wait   int
	index  int
}

func newHeap(w waitTable) timers { return &onHeap{items: make([]*item, len(w))} }

// Len is heap.Interface's.
func (h *onHeap) Len() int { return len(h.heap) }

// Less orders by deadline, then by registration.
func (h *onHeap) Less(i, j int) bool {
	a, b := h.heap[i], h.heap[j]
	return a.at < b.at || a.at == b.at && a.number < b.number
}

// Swap keeps each item's place in it, for cancel.
func (h *onHeap) Swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.heap[i].index, h.heap[j].index = i, j
}

// Push is heap.Interface's.
func (h *onHeap) Push(x any) {
	it := x.(*item)
	it.index = len(h.heap)
	h.heap = append(h.heap, it)
}

// Pop is heap.Interface's.
func (h *onHeap) Pop() any {
	last := len(h.heap) - 1
	it := h.heap[last]
	h.heap[last] = nil
	h.heap = h.heap[:last]
	return it
}

func (h *onHeap) add(n int, at fiber.Time) {
	h.added++
	h.items[n] = &item{at: at, number: h.added, wait: n}
	heap.Push(h, h.items[n])
}

func (h *onHeap) cancel(n int) { heap.Remove(h, h.items[n].index) }

func (h *onHeap) due(now fiber.Time) (n int, ok bool) {
	if len(h.heap) == 0 || h.heap[0].at > now {
		return 0, false
	}
	return heap.Pop(h).(*item).wait, true
}

func timerRows() []row {
	rows := []row{
		{work: "1M timers expire", goal: 10, ours: expire(newWheel), theirs: expire(newHeap)},
		{work: "1M timers added and cancelled", goal: 5, ours: addCancel(newWheel), theirs: addCancel(newHeap)},
	}
	for i := range rows {
		rows[i].id, rows[i].peer, rows[i].n, rows[i].whole, rows[i].most = "P11", "container/heap", 1_000_000, true, 5
	}
	return rows
}
