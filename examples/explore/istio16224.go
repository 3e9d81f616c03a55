//go:build ignore

// After istio#16224: a store of configurations notifies its listeners while it holds the lock, and a
// listener that is about to read the store waits for the lock.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type store struct {
	mu     sync.Mutex
	events chan string
	value  string
}

func (s *store) update(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
	s.events <- value
}

func (s *store) listen(n int, done chan bool) {
	for range n {
		<-s.events
		s.mu.Lock()
		_ = s.value
		s.mu.Unlock()
	}
	close(done)
}

// TestUpdatesAreListenedTo updates the store twice.
func TestUpdatesAreListenedTo(t *testing.T) {
	s := &store{events: make(chan string)}
	done := make(chan bool)
	go s.listen(2, done)
	s.update("a")
	s.update("b")
	<-done
}
