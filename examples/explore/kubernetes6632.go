//go:build ignore

// After kubernetes#6632: a connection that is written to resets its idle timer under the lock, while the
// loop of the timer, which would receive that, waits for the lock to close the connection.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
	"time"
)

type conn struct {
	mu    sync.Mutex
	reset chan bool
	open  bool
}

func (c *conn) write() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open {
		c.reset <- true
	}
}

func (c *conn) watch() {
	idle := time.NewTimer(time.Millisecond)
	defer idle.Stop()
	for {
		select {
		case <-c.reset:
			idle.Reset(time.Millisecond)
		case <-idle.C:
			c.mu.Lock()
			c.open = false
			c.mu.Unlock()
			return
		}
	}
}

// TestWriteToAnIdleConnection writes when the connection becomes idle.
func TestWriteToAnIdleConnection(t *testing.T) {
	c := &conn{reset: make(chan bool), open: true}
	go c.watch()
	time.Sleep(time.Millisecond)
	c.write()
}
