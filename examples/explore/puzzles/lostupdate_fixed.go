//go:build ignore

// The repaired lost update: the increment is atomic.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var count int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { atomic.AddInt32(&count, 1) })
	}
	wg.Wait()
	if atomic.LoadInt32(&count) != 2 {
		panic("an update was lost")
	}
}
