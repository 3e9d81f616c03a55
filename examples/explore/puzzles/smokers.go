//go:build ignore

// Cigarette smokers: the agent puts two of three ingredients on the table, and the smoker with the third is
// to take both. Each takes what it needs as it comes: two smokers may have one ingredient each.
// Finding: deadlock
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
	for !t.has[a] {
		t.changed.Wait()
	}
	t.has[a] = false
	for !t.has[b] {
		t.changed.Wait()
	}
	t.has[b] = false
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
