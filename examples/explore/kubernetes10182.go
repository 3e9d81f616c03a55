//go:build ignore

// After kubernetes#10182: a setter of a pod's status sends it to a channel under the lock. The loop that
// receives it takes the lock in between.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type manager struct {
	lock     sync.Mutex
	statuses map[string]int
	changed  chan string
}

func (m *manager) set(pod string, status int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.statuses[pod] = status
	m.changed <- pod
}

func (m *manager) sync(n int, done chan bool) {
	for range n {
		pod := <-m.changed
		m.lock.Lock()
		delete(m.statuses, pod)
		m.lock.Unlock()
	}
	close(done)
}

// TestStatusesAreSynchronized sets the statuses of two pods.
func TestStatusesAreSynchronized(t *testing.T) {
	m := &manager{statuses: map[string]int{}, changed: make(chan string)}
	done := make(chan bool)
	go m.sync(2, done)
	go m.set("a", 1)
	go m.set("b", 2)
	<-done
}
