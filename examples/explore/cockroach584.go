//go:build ignore

// After cockroach#584: a loop of the gossip bootstrap ends while it holds the lock, and the loop that
// manages the connections waits for it.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type gossip struct {
	mu     sync.Mutex
	closed bool
}

func (g *gossip) bootstrap() {
	for {
		g.mu.Lock()
		if g.closed {
			break
		}
		g.mu.Unlock()
	}
}

func (g *gossip) manage() {
	for {
		g.mu.Lock()
		if g.closed {
			break
		}
		g.mu.Unlock()
	}
}

// TestBootstrapAndManage runs both loops until the gossip is closed.
func TestBootstrapAndManage(t *testing.T) {
	g := &gossip{closed: true}
	var wg sync.WaitGroup
	wg.Go(g.bootstrap)
	wg.Go(g.manage)
	wg.Wait()
}
