//go:build ignore

// The repaired istio8967: the loop has a variable of its own.
package kernel

import "testing"

type source struct {
	events chan string
	done   chan bool
}

func (s *source) start() {
	done := make(chan bool)
	s.done = done
	go func() {
		for {
			select {
			case <-s.events:
			case <-done:
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
