//go:build ignore

// The repaired moby25348: the loop ends before the wait.
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
	}
	wg.Wait()
}
