//go:build ignore

// The repaired kubernetes136049: the event is sent without the lock.
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
	listener := p.listener
	p.lock.RUnlock()
	listener <- event
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
