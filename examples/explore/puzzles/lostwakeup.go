//go:build ignore

// Lost wake-up: the lock is released between the look at the variable and the wait. A signal in between wakes
// nothing, and no other one follows.
// Finding: deadlock
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
	mu.Lock()
	if !ready {
		mu.Unlock()
		prepare()
		mu.Lock()
		changed.Wait()
	}
	mu.Unlock()
}

func prepare() {}
