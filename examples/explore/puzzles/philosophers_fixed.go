//go:build ignore

// The repaired dining philosophers: the last one takes the forks in the other order.
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
		wg.Go(func() { dine(&forks[min(left, right)], &forks[max(left, right)]) })
	}
	wg.Wait()
}
