package wheel

import (
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

func BenchmarkMillionExpire(b *testing.B) {
	measure(b, func(s *lazy, d []fiber.Time) time.Duration {
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
	measure(b, func(s *lazy, d []fiber.Time) time.Duration {
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

// measure reports ns per timer. The comparison with container/heap is row P11 of package
// bench.
func measure(b *testing.B, run func(*lazy, []fiber.Time) time.Duration) {
	d, l := deadlines(), newLazy()
	run(l, d) // so that it has the memory it needs
	var took time.Duration
	runs := 0
	for b.Loop() {
		l.reset()
		took += run(l, d)
		runs++
	}
	b.ReportMetric(float64(took.Nanoseconds())/float64(runs*million), "ns/timer")
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
