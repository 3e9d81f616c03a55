//go:build ignore

// The repaired etcd10492: the checkpoint is proposed without the lock.
package kernel

import (
	"sync"
	"testing"
)

type lessor struct {
	mu        sync.Mutex
	remaining int
	proposals chan chan bool
}

func (l *lessor) apply() {
	for applied := range l.proposals {
		l.mu.Lock()
		l.remaining = 0
		l.mu.Unlock()
		close(applied)
	}
}

func (l *lessor) renew() {
	l.mu.Lock()
	remaining := l.remaining
	l.mu.Unlock()
	if remaining > 0 {
		applied := make(chan bool)
		l.proposals <- applied
		<-applied
	}
}

// TestALeaseWithACheckpointIsRenewed renews a lease twice.
func TestALeaseWithACheckpointIsRenewed(t *testing.T) {
	l := &lessor{remaining: 300, proposals: make(chan chan bool)}
	go l.apply()
	l.renew()
	l.renew()
	close(l.proposals)
}
