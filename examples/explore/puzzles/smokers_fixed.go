//go:build ignore

// The repaired cigarette smokers: each takes both ingredients or none.
package main

import "sync"

type table struct {
	mu      sync.Mutex
	changed *sync.Cond
	has     map[string]bool
	smoked  chan bool
}

func (t *table) put(ingredient string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.has[ingredient] = true
	t.changed.Broadcast()
}

func (t *table) smoke(a, b string) {
	t.mu.Lock()
	for !t.has[a] || !t.has[b] {
		t.changed.Wait()
	}
	t.has[a], t.has[b] = false, false
	t.mu.Unlock()
	t.smoked <- true
}

func main() {
	t := &table{has: map[string]bool{}, smoked: make(chan bool)}
	t.changed = sync.NewCond(&t.mu)
	pairs := [][2]string{{"tobacco", "paper"}, {"paper", "match"}, {"match", "tobacco"}}
	for _, p := range pairs {
		go t.smoke(p[0], p[1])
	}
	for _, p := range pairs {
		t.put(p[0])
		t.put(p[1])
		<-t.smoked
	}
}
