//go:build ignore

// The repaired kubernetes6632: the reset is sent without the lock, and ends with the loop.
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

	closed chan bool
}

func (c *conn) write() {
	c.mu.Lock()
	open := c.open
	c.mu.Unlock()
	if open {
		select {
		case c.reset <- true:
		case <-c.closed:
		}
	}
}

func (c *conn) watch() {
	idle := time.NewTimer(time.Millisecond)
	defer idle.Stop()
	defer close(c.closed)
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
	c := &conn{reset: make(chan bool), closed: make(chan bool), open: true}
	go c.watch()
	time.Sleep(time.Millisecond)
	c.write()
}
