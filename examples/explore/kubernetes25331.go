//go:build ignore

// After kubernetes#25331: a watcher is stopped while an event is being sent to it, and the channel is
// closed between the check and the send.
// Finding: failure
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
	stopped := w.stopped
	w.mu.Unlock()
	if !stopped {
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
