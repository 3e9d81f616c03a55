//go:build ignore

// Producers and consumers with one condition: a consumer that has emptied the buffer wakes the other consumer
// instead of a producer. It waits again, as the producer does.
// Finding: deadlock
package main

import "sync"

type buffer struct {
	mu      sync.Mutex
	changed *sync.Cond
	full    bool
}

func (b *buffer) put() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.full {
		b.changed.Wait()
	}
	b.full = true
	b.changed.Signal()
}

func (b *buffer) take() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.full {
		b.changed.Wait()
	}
	b.full = false
	b.changed.Signal()
}

func main() {
	b := &buffer{}
	b.changed = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(b.take)
		wg.Go(b.put)
	}
	wg.Wait()
}
