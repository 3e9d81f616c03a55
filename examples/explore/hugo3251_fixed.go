//go:build ignore

// The repaired hugo3251: looking for the lock and making it are one step.
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
	l.mu.Lock()
	one, ok := l.m[url]
	if !ok {
		one = &sync.Mutex{}
		l.m[url] = one
	}
	l.mu.Unlock()
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
