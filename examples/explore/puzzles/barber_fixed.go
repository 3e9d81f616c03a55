//go:build ignore

// The repaired sleeping barber: to look for customers and to fall asleep are one critical section.
package main

import "sync"

type shop struct {
	mu         sync.Mutex
	waiting    int
	asleep     bool
	wake, done chan bool
}

func (s *shop) barber(customers int) {
	for range customers {
		s.mu.Lock()
		empty := s.waiting == 0
		s.asleep = empty
		s.mu.Unlock()
		if empty {
			<-s.wake
		}
		s.mu.Lock()
		s.waiting--
		s.mu.Unlock()
		s.done <- true
	}
}

func (s *shop) customer() {
	s.mu.Lock()
	s.waiting++
	asleep := s.asleep
	s.asleep = false
	s.mu.Unlock()
	if asleep {
		s.wake <- true
	}
	<-s.done
}

func main() {
	s := &shop{wake: make(chan bool), done: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(func() { s.barber(2) })
	wg.Go(s.customer)
	wg.Go(s.customer)
	wg.Wait()
}
