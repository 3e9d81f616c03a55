//go:build ignore

// After moby#25348: the goroutines of a loop are waited for within the loop, after the first of them, and
// the one that would end it is started later.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

// TestPluginsAreStopped stops two plugins.
func TestPluginsAreStopped(t *testing.T) {
	plugins := []string{"a", "b"}
	stopped := make(chan string)
	var wg sync.WaitGroup
	wg.Add(len(plugins))
	for _, p := range plugins {
		go func() {
			defer wg.Done()
			stopped <- p
		}()
		go func() { <-stopped }()
		wg.Wait()
	}
}
