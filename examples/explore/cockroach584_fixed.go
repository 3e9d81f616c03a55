//go:build ignore

// The repaired cockroach584: both loops unlock before they end.
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
			g.mu.Unlock()
			break
		}
		g.mu.Unlock()
	}
}

func (g *gossip) manage() {
	for {
		g.mu.Lock()
		if g.closed {
			g.mu.Unlock()
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
