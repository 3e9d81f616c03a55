//go:build ignore

// After cockroach#3056: a worker is started while the stopper waits for all workers. Nothing orders the Add
// of a wait group that may be at 0 with the Wait: the stopper may not see the worker.
// Finding: race, with --races
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
