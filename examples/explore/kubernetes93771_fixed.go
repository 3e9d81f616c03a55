//go:build ignore

// The repaired kubernetes93771: the map has a lock.
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
	s.mu.Lock()
	defer s.mu.Unlock()
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
