//go:build ignore

// A barrier that is used again: the waiting fiber is woken when all have arrived, and looks at their number
// only after the other one has arrived for the next round. Both wait, in different rounds.
// Finding: deadlock
package main

import "sync"

const parties = 2

type barrier struct {
	mu      sync.Mutex
	changed *sync.Cond
	arrived int
	round   int
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived++
	if b.arrived == parties {
		b.arrived = 0
		b.round++
		b.changed.Broadcast()
		return
	}
	for b.arrived != 0 {
		b.changed.Wait()
	}
}

func main() {
	b := &barrier{}
	b.changed = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	for range parties {
		wg.Go(func() {
			b.wait()
			b.wait()
		})
	}
	wg.Wait()
}
