//go:build ignore

// The repaired etcd9061: the request reads the session under the lock.
package kernel

import (
	"sync"
	"testing"
)

type session struct{ ready chan bool }

type store struct {
	mu      sync.RWMutex
	session *session
}

func (s *store) renew() {
	next := &session{make(chan bool)}
	s.mu.Lock()
	s.session = next
	s.mu.Unlock()
	close(next.ready)
}

func (s *store) wait() {
	s.mu.RLock()
	current := s.session
	s.mu.RUnlock()
	<-current.ready
}

// TestARequestWhileTheSessionExpires waits for a session that is renewed.
func TestARequestWhileTheSessionExpires(t *testing.T) {
	first := &session{make(chan bool)}
	close(first.ready)
	s := &store{session: first}
	var wg sync.WaitGroup
	wg.Go(s.renew)
	wg.Go(s.wait)
	wg.Wait()
}
