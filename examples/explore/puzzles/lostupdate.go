//go:build ignore

// Lost update: two goroutines read a counter before either of them writes it.
// Finding: failure, with --points=access
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var count int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { count++ })
	}
	wg.Wait()
	if atomic.LoadInt32(&count) != 2 {
		panic("an update was lost")
	}
}
