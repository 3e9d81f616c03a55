//go:build ignore

// Five philosophers and five forks: with a waiter who lets four of them sit down, all eat.
package main

import (
	"fmt"
	"sync"
)

func main() {
	const n, meals = 5, 100
	var forks [n]sync.Mutex
	waiter := make(chan struct{}, n-1)
	var eaten [n]int
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			left, right := &forks[i], &forks[(i+1)%n]
			for range meals {
				waiter <- struct{}{}
				left.Lock()
				right.Lock()
				eaten[i]++
				right.Unlock()
				left.Unlock()
				<-waiter
			}
		})
	}
	wg.Wait()
	fmt.Println(eaten)
}
