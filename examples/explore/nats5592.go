//go:build ignore

// After nats-server#5592: the largest payload of a client is read by atomic operations, and set by a plain
// assignment when the limits of its account change.
// Finding: race, with --races
package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type client struct {
	mu      sync.Mutex
	payload int32
	refused int
}

func (c *client) setLimits(payload int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.payload = payload
}

func (c *client) publish(size int32) {
	if size > atomic.LoadInt32(&c.payload) {
		c.refused++
	}
}

// TestLimitsChange publishes while the limits change.
func TestLimitsChange(t *testing.T) {
	c := &client{payload: 10}
	var wg sync.WaitGroup
	wg.Go(func() { c.setLimits(20) })
	wg.Go(func() { c.publish(15) })
	wg.Wait()
}
