//go:build ignore

// The repaired cockroach6181: describeLocked leaves the lock to its caller.
package kernel

import (
	"sync"
	"testing"
)

type cache struct {
	mu   sync.RWMutex
	keys []string
}

func (c *cache) lookup(key string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return key + " of " + c.describeLocked()
}

func (c *cache) describeLocked() (all string) {
	for _, k := range c.keys {
		all += k
	}
	return all
}

func (c *cache) insert(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys = append(c.keys, key)
}

// TestLookupAndInsert has two readers and two writers.
func TestLookupAndInsert(t *testing.T) {
	c := &cache{}
	var wg sync.WaitGroup
	for _, key := range []string{"a", "b"} {
		wg.Go(func() { c.insert(key) })
		wg.Go(func() { c.lookup(key) })
	}
	wg.Wait()
}
