//go:build ignore

// The repaired cockroach35501: each goroutine has a variable of its own.
package kernel

import (
	"sync"
	"testing"
)

type check struct{ name string }

// TestEachCheckIsDoneOnce does three checks.
func TestEachCheckIsDoneOnce(t *testing.T) {
	checks := []check{{"a"}, {"b"}, {"c"}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := map[string]int{}
	var one check
	for i := range checks {
		one = checks[i]
		wg.Add(1)
		one := one
		go func() {
			defer wg.Done()
			mu.Lock()
			done[one.name]++
			mu.Unlock()
		}()
	}
	wg.Wait()
	for _, c := range checks {
		if done[c.name] != 1 {
			t.Errorf("%s: %d times", c.name, done[c.name])
		}
	}
}
