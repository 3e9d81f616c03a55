package waitq

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func BenchmarkPushMatchCollect(b *testing.B) {
	for _, depth := range []int{1, 1000, 100_000} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			var q Queue[uint64]
			seq := uint64(0)
			for range depth - 1 {
				seq++
				q.Push(ticket(seq), 0, 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				seq++
				q.Push(ticket(seq), 0, 0)
				t, _, _ := q.Match(seq)
				q.Collect(t)
			}
		})
	}
}

// BenchmarkPushWithdraw ends each wait early, in the middle of the queue.
func BenchmarkPushWithdraw(b *testing.B) {
	for _, depth := range []int{2, 1000, 100_000} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			var q Queue[uint64]
			held := make([]fiber.Ticket, depth)
			seq, rnd := uint64(0), uint32(1)
			for i := range held {
				seq++
				held[i] = ticket(seq)
				q.Push(held[i], 0, 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				rnd = rnd*1664525 + 1013904223
				i := int(rnd>>8) % depth
				q.Withdraw(held[i])
				seq++
				held[i] = ticket(seq)
				q.Push(held[i], 0, 0)
			}
		})
	}
}
