//go:build ignore

// After cortex#6479: a test waits on a condition variable until its watch has begun. If the watch has begun
// before, nothing wakes it.
// Finding: deadlock
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
	c.cond.Wait()
	c.mu.Unlock()
}
