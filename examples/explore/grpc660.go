//go:build ignore

// After grpc#660: a benchmark client sends its results without an end, and the one that receives them
// leaves when the time is over.
// Finding: leak
package kernel

import (
	"testing"
	"time"
)

type benchmark struct {
	results chan int
	stop    chan bool
}

func (b *benchmark) client() {
	for i := 0; ; i++ {
		time.Sleep(time.Millisecond)
		select {
		case <-b.stop:
			return
		default:
		}
		b.results <- i
	}
}

// TestTheBenchmarkEnds runs the benchmark for five milliseconds.
func TestTheBenchmarkEnds(t *testing.T) {
	b := &benchmark{make(chan int), make(chan bool)}
	go b.client()
	over := time.After(5 * time.Millisecond)
	for {
		select {
		case <-b.results:
		case <-over:
			close(b.stop)
			return
		}
	}
}
