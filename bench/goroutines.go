package main

import (
	"runtime"
	"sync"
	"time"
)

// The peers are goroutines on one thread: the caller sets GOMAXPROCS to 1.

// gosched is the peer of next+yield.
//
//go:noinline
func gosched(goroutines int) func(int) time.Duration {
	return func(n int) time.Duration {
		done := make(chan struct{})
		each := n / goroutines
		start := time.Now()
		for range goroutines {
			go func() {
				for range each {
					runtime.Gosched()
				}
				done <- struct{}{}
			}()
		}
		for range goroutines {
			<-done
		}
		return time.Since(start)
	}
}

// baton is the peer of block+wake: goroutines in a ring, each waits for its turn and wakes the
// next; one turn is one block and one wake-up.
//
//go:noinline
func baton(goroutines int) func(int) time.Duration {
	return func(n int) time.Duration {
		ring := make([]chan int, goroutines)
		for i := range ring {
			ring[i] = make(chan int)
		}
		done := make(chan struct{})
		for i := range ring {
			go func() {
				next := ring[(i+1)%goroutines]
				for turn := range ring[i] {
					if turn == n {
						close(done)
						return
					}
					next <- turn + 1
				}
			}()
		}
		start := time.Now()
		ring[0] <- 0
		<-done
		took := time.Since(start)
		for _, c := range ring {
			close(c)
		}
		return took
	}
}

// goStmt is the peer of spawn+run+kill: one goroutine after the other, each run once to its end
// and joined by a WaitGroup.
func goStmt(n int) time.Duration {
	count := 0
	var wg sync.WaitGroup
	start := time.Now()
	for range n {
		wg.Go(func() { count++ })
		wg.Wait()
	}
	took := time.Since(start)
	if count != n {
		panic("bench: goroutines were lost")
	}
	return took
}
