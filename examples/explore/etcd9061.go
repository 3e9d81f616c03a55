//go:build ignore

// After etcd#9061: a goroutine replaces the session when it has expired, and a request reads it without the
// lock.
// Finding: race, with --races
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
	current := s.session
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
