//go:build ignore

// The repaired nats5592: all accesses are atomic.
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
	atomic.StoreInt32(&c.payload, payload)
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
