//go:build ignore

// The repaired kubernetes25331: the check and the send, which has room, are one step.
package kernel

import (
	"sync"
	"testing"
)

type watcher struct {
	mu      sync.Mutex
	stopped bool
	result  chan int
}

func (w *watcher) send(event int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.result <- event
	}
}

func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.stopped = true
		close(w.result)
	}
}

// TestStopWhileSending stops the watcher while an event is sent.
func TestStopWhileSending(t *testing.T) {
	w := &watcher{result: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Go(func() { w.send(1) })
	wg.Go(w.stop)
	wg.Wait()
}
