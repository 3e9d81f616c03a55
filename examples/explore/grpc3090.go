//go:build ignore

// After grpc-go#3090: a resolver reports an error while it is being built, and the goroutine that is started
// for that reads the field that its builder is about to set.
// Finding: race, with --races
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
	w.resolver = build(func(string) { go w.resolveNow() })
	return w
}

func (w *wrapper) resolveNow() {
	if w.resolver != nil {
		w.resolver.asked <- true
	}
}

// TestAnErrorWhileBuilding builds a resolver that reports an error.
func TestAnErrorWhileBuilding(t *testing.T) { newWrapper() }
