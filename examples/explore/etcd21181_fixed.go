//go:build ignore

// The repaired etcd21181: the entries are copied under the lock.
package kernel

import (
	"sync"
	"testing"
)

type cache struct {
	mu      sync.Mutex
	entries map[string]chan bool
}

func (c *cache) update(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = make(chan bool, 1)
}

func (c *cache) lockAll() {
	all := []chan bool{}
	c.mu.Lock()
	for _, lock := range c.entries {
		all = append(all, lock)
	}
	c.mu.Unlock()
	for _, lock := range all {
		lock <- true
	}
}

// TestATransactionDuringAnUpdate locks all entries while one is added.
func TestATransactionDuringAnUpdate(t *testing.T) {
	c := &cache{entries: map[string]chan bool{}}
	c.update("a")
	var wg sync.WaitGroup
	wg.Go(func() { c.update("b") })
	wg.Go(c.lockAll)
	wg.Wait()
}
