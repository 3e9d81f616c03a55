//go:build ignore

// The repaired cortex6479: a variable says that the watch has begun.
package kernel

import (
	"sync"
	"testing"
)

type client struct {
	mu    sync.Mutex
	cond  *sync.Cond
	begun bool
}

func (c *client) watch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = true
	c.cond.Broadcast()
}

// TestTheWatchBegins waits until a watch has begun.
func TestTheWatchBegins(t *testing.T) {
	c := &client{}
	c.cond = sync.NewCond(&c.mu)
	go c.watch()
	c.mu.Lock()
	for !c.begun {
		c.cond.Wait()
	}
	c.mu.Unlock()
}
