//go:build ignore

// The repaired cockroach3056: no worker is started when the stopper has begun to wait.
package kernel

import (
	"sync"
	"testing"
)

type stopper struct {
	mu      sync.Mutex
	stopped bool
	workers sync.WaitGroup
}

func (s *stopper) runWorker(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return
	}
	s.workers.Add(1)
	go func() {
		defer s.workers.Done()
		f()
	}()
}

func (s *stopper) stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.workers.Wait()
}

// TestAWorkerDuringStop starts a worker while the stopper stops.
func TestAWorkerDuringStop(t *testing.T) {
	s := &stopper{}
	started := make(chan bool)
	go func() {
		s.runWorker(func() {})
		close(started)
	}()
	s.stop()
	<-started
}
