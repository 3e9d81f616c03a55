//go:build ignore

// After hugo#3251: the lock of a remote file is taken out of a map after the map's own lock is released,
// and another goroutine replaces it there meanwhile: unlock then unlocks a lock that is not locked, or leaves
// one locked.
// Finding: failure
package kernel

import (
	"sync"
	"testing"
)

type locks struct {
	mu sync.RWMutex
	m  map[string]*sync.Mutex
}

func (l *locks) lock(url string) {
	l.mu.RLock()
	one, ok := l.m[url]
	l.mu.RUnlock()
	if !ok {
		l.mu.Lock()
		one = &sync.Mutex{}
		l.m[url] = one
		l.mu.Unlock()
	}
	one.Lock()
}

func (l *locks) unlock(url string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if one, ok := l.m[url]; ok {
		one.Unlock()
	}
}

// TestOneURL has three goroutines that lock the same URL.
func TestOneURL(t *testing.T) {
	l := &locks{m: map[string]*sync.Mutex{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			l.lock("u")
			l.unlock("u")
		})
	}
	wg.Wait()
}
