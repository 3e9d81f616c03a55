package fiberio

import "sync"

// parcel hands what an operation made (a connection) to the fiber that wants it, or, if
// that has given up meanwhile, to what is to become of it then. One of the two has it.
type parcel[T any] struct {
	mu      sync.Mutex
	value   T
	here    bool
	refused bool
	unclaim func(T) // of what nobody takes; on either goroutine
}

// bring is the operation's side.
func (p *parcel[T]) bring(v T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refused {
		p.unclaim(v)
		return
	}
	p.value, p.here = v, true
}

// take is the fiber's side, when the operation has ended well.
func (p *parcel[T]) take() T {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.here = false
	return p.value
}

// refuse is the fiber's side in any case, deferred: what was not taken is not wanted.
func (p *parcel[T]) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = true
	if p.here {
		p.here = false
		p.unclaim(p.value)
	}
}
