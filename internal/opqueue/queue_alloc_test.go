package opqueue

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestSteadyStateAllocatesNothing(t *testing.T) {
	q := New(0, 0, func(fiber.Token, ioqueue.Completion) {})
	var tokens [64]fiber.Token
	var cancelled []fiber.Token
	seq := uint64(0)
	round := func() {
		for i := range tokens {
			tokens[i], _ = q.Submit(alice)
		}
		for i, token := range tokens {
			seq++
			switch i % 4 {
			case 0:
				q.Await(token, waitOf(alice, seq))
				complete(q, token, ioqueue.Completion{N: i})
				take(q, token)
			case 1:
				complete(q, token, ioqueue.Completion{N: i})
				q.Await(token, waitOf(alice, seq))
			case 2:
				q.Await(token, waitOf(alice, seq))
				q.Unawait(token)
			}
		}
		q.AbandonOwned(alice)
		cancelled = q.Cancellations(cancelled[:0])
		for _, token := range cancelled {
			complete(q, token, ioqueue.Completion{})
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Fatalf("%v allocations per round", n)
	}
	if q.Outstanding() != 0 || q.Counters().Late == 0 {
		t.Fatalf("the round does not do what it says: %+v", q.Counters())
	}
}

func BenchmarkSubmitAwaitCompleteTake(b *testing.B) {
	for _, outstanding := range []int{0, 100_000} {
		b.Run(map[bool]string{true: "alone", false: "100k outstanding"}[outstanding == 0], func(b *testing.B) {
			q := New(0, 0, nil)
			for range outstanding {
				q.Submit(bob)
			}
			b.ReportAllocs()
			for n := uint64(1); b.Loop(); n++ {
				token, _ := q.Submit(alice)
				q.Await(token, waitOf(alice, n))
				complete(q, token, ioqueue.Completion{})
				take(q, token)
			}
		})
	}
}

// BenchmarkMap is what a waiter map would cost for the same token life.
func BenchmarkMap(b *testing.B) {
	waiters := map[fiber.Token]fiber.Ticket{}
	for n := range fiber.Token(100_000) {
		waiters[n] = waitOf(bob, 1)
	}
	for n := uint64(1); b.Loop(); n++ {
		token := fiber.Token(n + 100_000)
		waiters[token] = waitOf(alice, n)
		_ = waiters[token]
		delete(waiters, token)
	}
}
