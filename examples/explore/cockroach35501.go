//go:build ignore

// After cockroach#35501: the goroutines of a loop use the address of the loop's variable, as all did
// before Go 1.22, and some see the value of a later round.
// Finding: failure
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
