//go:build ignore

// Dining philosophers: each takes the fork on the left, and waits for the one on the right, which the
// neighbor has.
// Finding: deadlock
package main

import "sync"

const philosophers = 3

func dine(first, second *sync.Mutex) {
	first.Lock()
	second.Lock()
	second.Unlock()
	first.Unlock()
}

func main() {
	var forks [philosophers]sync.Mutex
	var wg sync.WaitGroup
	for i := range philosophers {
		left, right := i, (i+1)%philosophers
		wg.Go(func() { dine(&forks[left], &forks[right]) })
	}
	wg.Wait()
}
