//go:build ignore

// After kubernetes#77434: each event has a goroutine that waits for its turn to send it. When the watch is
// stopped, the one whose turn it is leaves, and the others wait for theirs.
// Finding: leak
package kernel

import (
	"sync"
	"testing"
)

type watch struct {
	mu   sync.Mutex
	turn *sync.Cond
	next int
	out  chan int
	stop chan bool
}

func (w *watch) send(ticket int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.next != ticket {
		w.turn.Wait()
	}
	select {
	case w.out <- ticket:
		w.next++
		w.turn.Broadcast()
	case <-w.stop:
	}
}

// TestStopWithEventsLeft stops the watch after the first of three events.
func TestStopWithEventsLeft(t *testing.T) {
	w := &watch{out: make(chan int), stop: make(chan bool)}
	w.turn = sync.NewCond(&w.mu)
	for ticket := range 3 {
		go w.send(ticket)
	}
	<-w.out
	close(w.stop)
}
