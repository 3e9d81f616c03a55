//go:build ignore

// The repaired lost wake-up: the look and the wait are one critical section, and the look is repeated.
package main

import "sync"

func main() {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		changed.Signal()
	}()
	prepare()
	mu.Lock()
	for !ready {
		changed.Wait()
	}
	mu.Unlock()
}

func prepare() {}
