//go:build ignore

// After cockroach#6181: a reader of the range cache takes the read lock again in String. A writer that
// comes between the two holds back the second one, and waits for the first.
// Finding: deadlock
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
	return key + " of " + c.describe()
}

func (c *cache) describe() (all string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
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
