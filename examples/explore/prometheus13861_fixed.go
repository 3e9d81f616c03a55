//go:build ignore

// The repaired prometheus13861: the lock is released on every path.
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
	defer a.mu.RUnlock()
	for range a.urls {
		if len(alerts) == 0 {
			return sent
		}
		sent += len(alerts)
	}
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
