//go:build ignore

// The repaired barrier: a fiber waits for the end of its own round.
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
	for round := b.round; b.round == round; {
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
