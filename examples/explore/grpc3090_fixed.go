//go:build ignore

// The repaired grpc3090: the field is set and read under a lock.
package kernel

import (
	"sync"
	"testing"
)

type resolver struct{ asked chan bool }

type wrapper struct {
	mu       sync.Mutex
	resolver *resolver
}

func build(report func(err string)) *resolver {
	report("no address")
	return &resolver{make(chan bool, 1)}
}

func newWrapper() *wrapper {
	w := &wrapper{}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.resolver = build(func(string) { go w.resolveNow() })
	return w
}

func (w *wrapper) resolveNow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.resolver != nil {
		w.resolver.asked <- true
	}
}

// TestAnErrorWhileBuilding builds a resolver that reports an error.
func TestAnErrorWhileBuilding(t *testing.T) { newWrapper() }
