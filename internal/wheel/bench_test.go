package wheel

import (
	"container/heap"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
)

const million = 1_000_000

// deadlines are a million instants within an hour, as timeouts of a busy server are.
func deadlines() []fiber.Time {
	rnd := rand.New(rand.NewPCG(1, 2))
	d := make([]fiber.Time, million)
	for i := range d {
		d[i] = fiber.Time(rnd.Int64N(int64(time.Hour)))
	}
	return d
}

// store is what both contenders do.
type store interface {
	add(n int, d fiber.Time)
	cancel(n int)
	pop(now fiber.Time) bool
}

func BenchmarkMillionExpire(b *testing.B) {
	compare(b, func(s store, d []fiber.Time) time.Duration {
		for n, at := range d {
			s.add(n, at)
		}
		start := time.Now()
		for now := fiber.Time(0); now <= fiber.Time(time.Hour); now += fiber.Time(time.Millisecond) {
			for s.pop(now) {
			}
		}
		return time.Since(start)
	})
}

func BenchmarkMillionAddCancel(b *testing.B) {
	order := rand.New(rand.NewPCG(3, 4)).Perm(million)
	compare(b, func(s store, d []fiber.Time) time.Duration {
		start := time.Now()
		for n, at := range d {
			s.add(n, at)
		}
		for _, n := range order {
			s.cancel(n)
		}
		return time.Since(start)
	})
}

// compare runs both, each warmed up once, and reports ns per timer and the ratio.
func compare(b *testing.B, run func(store, []fiber.Time) time.Duration) {
	d := deadlines()
	w, h := newLazy(), newExact()
	run(w, d)
	w.reset()
	run(h, d)
	var wheel, heap time.Duration
	runs := 0
	for b.Loop() {
		wheel += run(w, d)
		w.reset()
		heap += run(newExact(), d)
		runs++
	}
	b.ReportMetric(float64(wheel.Nanoseconds())/float64(runs*million), "wheel-ns/timer")
	b.ReportMetric(float64(heap.Nanoseconds())/float64(runs*million), "heap-ns/timer")
	b.ReportMetric(float64(heap)/float64(wheel), "x-faster")
	b.ReportMetric(0, "ns/op")
}

// lazy cancels as the scheduler does: it marks, and compacts when told to.
type lazy struct {
	w    Wheel
	dead []bool
}

func newLazy() *lazy { return &lazy{dead: make([]bool, million)} }

// reset empties the wheel and puts its clock back; the chunks stay.
func (l *lazy) reset() {
	l.w.Compact(func(Entry) bool { return false })
	l.w.cursor, l.w.runEnd = 0, 0
	clear(l.dead)
}

func (l *lazy) add(n int, d fiber.Time) {
	l.w.Add(Entry{Deadline: d, Ticket: fiber.Ticket{ID: 1 << 32, Seq: uint64(n)}})
}

func (l *lazy) cancel(n int) {
	l.dead[n] = true
	l.w.NoteStale()
	if l.w.NeedsCompaction() {
		l.w.Compact(func(e Entry) bool { return !l.dead[e.Ticket.Seq] })
	}
}

func (l *lazy) pop(now fiber.Time) bool {
	_, ok := l.w.PopDue(now)
	return ok
}

// exact is container/heap the way its own example uses it.
type exact struct {
	nodes []*node
	byN   []*node
}

type node struct {
	Entry
	index int
}

func newExact() *exact { return &exact{byN: make([]*node, million)} }

func (h *exact) Len() int { return len(h.nodes) }
func (h *exact) Less(i, j int) bool {
	a, b := h.nodes[i], h.nodes[j]
	return a.Deadline < b.Deadline || a.Deadline == b.Deadline && a.Ticket.Seq < b.Ticket.Seq
}
func (h *exact) Swap(i, j int) {
	h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i]
	h.nodes[i].index, h.nodes[j].index = i, j
}
func (h *exact) Push(x any) {
	n := x.(*node)
	n.index = len(h.nodes)
	h.nodes = append(h.nodes, n)
}
func (h *exact) Pop() any {
	n := h.nodes[len(h.nodes)-1]
	h.nodes = h.nodes[:len(h.nodes)-1]
	return n
}

func (h *exact) add(n int, d fiber.Time) {
	x := &node{Entry: Entry{Deadline: d, Ticket: fiber.Ticket{ID: 1 << 32, Seq: uint64(n)}}}
	h.byN[n] = x
	heap.Push(h, x)
}

func (h *exact) cancel(n int) { heap.Remove(h, h.byN[n].index) }

func (h *exact) pop(now fiber.Time) bool {
	if len(h.nodes) == 0 || h.nodes[0].Deadline > now {
		return false
	}
	heap.Pop(h)
	return true
}
