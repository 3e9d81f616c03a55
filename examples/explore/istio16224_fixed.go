//go:build ignore

// The repaired istio16224: the event is sent without the lock.
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
	s.value = value
	s.mu.Unlock()
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
