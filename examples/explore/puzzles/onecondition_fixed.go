//go:build ignore

// The repaired producers and consumers: all that wait are woken.
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
	b.changed.Broadcast()
}

func (b *buffer) take() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.full {
		b.changed.Wait()
	}
	b.full = false
	b.changed.Broadcast()
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
