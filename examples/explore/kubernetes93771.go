//go:build ignore

// After kubernetes#93771: the kubelet creates containers concurrently, and notes each in a map without a
// lock.
// Finding: race, with --races
package kernel

import (
	"sync"
	"testing"
)

type service struct {
	mu    sync.Mutex
	infos map[string]int
}

func (s *service) create(name string, cleanup int) {
	s.infos[name] = cleanup
}

// TestTwoContainersAreCreated creates two containers at once.
func TestTwoContainersAreCreated(t *testing.T) {
	s := &service{infos: map[string]int{}}
	var wg sync.WaitGroup
	for i, name := range []string{"a", "b"} {
		wg.Go(func() { s.create(name, i) })
	}
	wg.Wait()
}
