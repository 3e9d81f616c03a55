//go:build ignore

// Check, then act: two fibers stop a service. Both find that its channel is open, and both close it.
// Finding: failure
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
