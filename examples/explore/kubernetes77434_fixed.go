//go:build ignore

// The repaired kubernetes77434: a goroutine that leaves passes the turn on.
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
	case <-w.stop:
	}
	w.next++
	w.turn.Broadcast()
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
