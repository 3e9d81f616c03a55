package fiberio

import "sync"

// handover passes what an operation made, such as a connection, from a worker to the fiber.
// If the fiber has given up meanwhile, discard gets the value. It goes to exactly one of them.
type handover[T any] struct {
	mu      sync.Mutex
	value   T
	here    bool
	refused bool
	discard func(T) // releases a value that the fiber does not take; called on either goroutine
}

// deliver is called by the operation, on the worker.
func (p *handover[T]) deliver(v T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refused {
		p.discard(v)
		return
	}
	p.value, p.here = v, true
}

// take is called by the fiber after the operation succeeded.
func (p *handover[T]) take() T {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.here = false
	return p.value
}

// decline is deferred by the fiber: it discards a value that was not taken, now or later.
func (p *handover[T]) decline() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = true
	if p.here {
		p.here = false
		p.discard(p.value)
	}
}
