//go:build ignore

// The repaired moby28462: closing the channel waits for no receiver.
package kernel

import (
	"sync"
	"testing"
	"time"
)

type container struct {
	sync.Mutex
	stop    chan bool
	results int
}

func (c *container) store() {
	c.Lock()
	defer c.Unlock()
	c.results++
}

func (c *container) monitor() {
	for {
		select {
		case <-c.stop:
			return
		case <-time.After(time.Millisecond):
			c.store()
		}
	}
}

func (c *container) close() {
	c.Lock()
	defer c.Unlock()
	close(c.stop)
}

// TestStopWhileProbing stops the container when three probes may have been made.
func TestStopWhileProbing(t *testing.T) {
	c := &container{stop: make(chan bool)}
	go c.monitor()
	time.Sleep(3 * time.Millisecond)
	c.close()
}
