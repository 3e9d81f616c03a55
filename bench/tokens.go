package main

import (
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// operator is a fiber of P04 that has one operation under way after the other.
type operator struct{ tok fiber.Token }

// operations is P04: n operations are submitted, awaited and completed in order, with a fixed
// number outstanding at any time.
//
//go:noinline
func operations(outstanding int) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[operator](scheduler.Config{})
		for range outstanding {
			mustGet(s.Spawn(operator{}))
		}
		line := make([]fiber.Token, outstanding) // a device that completes in order
		begun, ended := 0, 0
		start := time.Now()
		for ended < n {
			f := s.ScheduleNext()
			if f == nil {
				if !s.Poll() {
					if s.Ops().Complete(line[ended%outstanding], ioqueue.Completion{}) != ioqueue.Deliver {
						panic("bench: the completion came to nobody")
					}
					ended++
				}
				continue
			}
			if f.Data.tok != 0 {
				s.Claim()
				s.Ops().Completion(f.Data.tok)
			}
			tok, err := s.Ops().Submit()
			must(err)
			f.Data.tok, line[begun%outstanding] = tok, tok
			begun++
			s.BlockForIO(tok)
		}
		return time.Since(start)
	}
}

// inAMap is the peer of P04 with 100,000 outstanding: the waiters in a Go map by token, as event
// loops keep them, without scheduler or checks.
func inAMap(outstanding int) func(int) time.Duration {
	type waiter struct{ fiber, seq uint64 }
	return func(n int) time.Duration {
		waiting := make(map[uint64]waiter)
		next := uint64(0)
		for range outstanding {
			next++
			waiting[next] = waiter{next, next}
		}
		start := time.Now()
		for i := range uint64(n) {
			w, ok := waiting[i+1]
			if !ok {
				panic("bench: a waiter was lost")
			}
			delete(waiting, i+1)
			next++
			waiting[next] = w
		}
		return time.Since(start)
	}
}

func operationRows() []row {
	return []row{
		{id: "P04", work: "operation, 1 outstanding", peer: "our next+block+wake", goal: 1.3, atMost: true, n: 400_000,
			ours: operations(1), theirs: blockWake(8)},
		{id: "P04", work: "operation, 1,000 outstanding", peer: "our next+block+wake", goal: 1.3, atMost: true, n: 400_000,
			ours: operations(1000), theirs: blockWake(8)},
		{id: "P04", work: "operation, 100,000 outstanding", peer: "our next+block+wake", goal: 1.3, atMost: true, n: 400_000,
			ours: operations(100_000), theirs: blockWake(8)},
		{id: "P04", work: "operation, 100,000 outstanding", peer: "waiters in a Go map", goal: 15, n: 400_000,
			ours: operations(100_000), theirs: inAMap(100_000)},
	}
}
