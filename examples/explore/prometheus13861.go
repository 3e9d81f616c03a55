//go:build ignore

// After prometheus#13861: sendAll returns early when no alert is left, and keeps the read lock. The next
// change of the set of Alertmanagers waits for it.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type alertmanagers struct {
	mu   sync.RWMutex
	urls []string
}

func (a *alertmanagers) sendAll(alerts []string) (sent int) {
	a.mu.RLock()
	for range a.urls {
		if len(alerts) == 0 {
			return sent
		}
		sent += len(alerts)
	}
	a.mu.RUnlock()
	return sent
}

func (a *alertmanagers) set(urls []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.urls = urls
}

// TestAllAlertsAreDropped sends no alert while the set changes.
func TestAllAlertsAreDropped(t *testing.T) {
	a := &alertmanagers{urls: []string{"a"}}
	var wg sync.WaitGroup
	wg.Go(func() { a.sendAll(nil) })
	wg.Go(func() { a.set([]string{"a", "b"}) })
	wg.Wait()
}
