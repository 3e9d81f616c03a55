//go:build ignore

// After kubernetes#136049: the processor sends to a listener under the read lock. A resync waits for the
// write lock, and holds back the reader that would start the goroutine which receives.
// Finding: deadlock
package kernel

import (
	"sync"
	"testing"
)

type processor struct {
	lock     sync.RWMutex
	listener chan int
	resyncs  int
}

func (p *processor) distribute(event int) {
	p.lock.RLock()
	defer p.lock.RUnlock()
	p.listener <- event
}

func (p *processor) resync() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.resyncs++
}

func (p *processor) run() {
	p.lock.RLock()
	defer p.lock.RUnlock()
	listener := p.listener
	go func() { <-listener }()
}

// TestResyncWhileStarting starts a processor that has an event and a resync already.
func TestResyncWhileStarting(t *testing.T) {
	p := &processor{listener: make(chan int)}
	var wg sync.WaitGroup
	wg.Go(func() { p.distribute(1) })
	wg.Go(p.resync)
	wg.Go(p.run)
	wg.Wait()
}
