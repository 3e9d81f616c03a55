package pool

import (
	"testing"
)

func TestTheInjectQueueIsFIFO(t *testing.T) {
	q := injectQueue[int]{limit: 40}
	next, taken := 0, 0
	for i := range 200 {
		for range i % 7 {
			if q.push(next) {
				next++
			} else if q.n != q.limit {
				t.Fatalf("full with %d", q.n)
			}
		}
		for range i % 6 {
			if got, ok := q.pop(); ok && got != taken {
				t.Fatalf("%d came when %d was due", got, taken)
			} else if ok {
				taken++
			}
		}
	}
	if taken < 100 || q.n != next-taken {
		t.Fatalf("%d came, %d are left of %d", taken, q.n, next)
	}
}
