//go:build ignore

// After istio#8967: Stop closes the channel that ends the loop, and sets the field to nil while the loop
// reads it.
// Finding: race, with --races
package kernel

import "testing"

type source struct {
	events chan string
	done   chan bool
}

func (s *source) start() {
	s.done = make(chan bool)
	go func() {
		for {
			select {
			case <-s.events:
			case <-s.done:
				return
			}
		}
	}()
}

func (s *source) stop() {
	close(s.done)
	s.done = nil
}

// TestStartAndStop stops a source after one event.
func TestStartAndStop(t *testing.T) {
	s := &source{events: make(chan string)}
	s.start()
	s.events <- "a"
	s.stop()
}
