//go:build ignore

// The repaired check, then act: to look and to close are one critical section.
package main

import "sync"

type service struct {
	mu   sync.Mutex
	stop chan bool
}

func (s *service) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

func (s *service) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopped() {
		close(s.stop)
	}
}

func main() {
	s := &service{stop: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(s.close)
	wg.Go(s.close)
	wg.Wait()
}
