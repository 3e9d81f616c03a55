package pool

import (
	"slices"
	"sync"
	"sync/atomic"
)

// coordinator is what the workers share under one lock: the queue of payloads and the list of
// idle workers. Because both are here, it can decide that nothing is left to run.
type coordinator[T any] struct {
	workers []*worker[T] // all; never changes

	// Copies that are read without the lock, as hints.
	idleWithRoom atomic.Int32 // idle workers that can take fibers
	queued       atomic.Int32 // queue.n

	mu       sync.Mutex
	queue    injectQueue[T]
	idle     []*worker[T] // the last one that has room is the first to be given work
	finished int          // how many of idle have nothing that can run without the others
	holds    int          // Hold calls that are not released
	begun    bool
	closed   bool // the pool has ended
}

// begin is false if the pool has run before.
func (c *coordinator[T]) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.begun
	c.begun = true
	return first
}

// changeHolds adds to the number of holds. When the last one goes, the pool may be at its end,
// or its islands in a deadlock that they could not report while it was held.
func (c *coordinator[T]) changeHolds(by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds += by
	c.closeIfFinished()
	if c.holds > 0 {
		return
	}
	for _, w := range c.workers {
		if w.island != nil {
			w.s.Inbox().Notify() // it probes again
		}
	}
}

// isClosed tells whether the pool has ended because nothing could run any more.
func (c *coordinator[T]) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// expectsMore tells whether a payload may yet reach a worker, which has room for it or not.
func (c *coordinator[T]) expectsMore(room bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.holds > 0 || c.queue.n > 0 && room
}

// movedOutside tells whether the number of fibers that left the workers differs from the
// number that entered: then the program has moved fibers out of the pool, or into it. Counted
// are the numbers that the others stored when they last became idle, and w's own of now. A
// worker that has moved fibers since is not idle, and so does not take part in a deadlock.
func (c *coordinator[T]) movedOutside(w *worker[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := w.s.Inspect().Counts()
	net := int(n.MovedOut-n.MovedIn) - w.netMovedOut
	for _, each := range c.workers {
		net += each.netMovedOut
	}
	return net != 0
}

// admission is what becomes of a worker that wants to be idle.
type admission uint8

const (
	maySleep   admission = iota + 1
	hasPayload           // a queued payload is for it: it must not sleep
	poolEnded
)

// enterIdle puts a worker on the idle list. From then on it may be sent fibers.
func (c *coordinator[T]) enterIdle(w *worker[T], state idleState) admission {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.queue.n > 0 && !c.closed && !state.full {
		return hasPayload
	}
	w.idleEpoch++
	w.idleState = state
	c.add(w)
	if c.closeIfFinished(); c.closed {
		return poolEnded
	}
	return maySleep
}

// leaveIdle is called by a worker that has woken up, before it looks at what has arrived: see
// closeIfFinished. It tells whether the pool has ended.
func (c *coordinator[T]) leaveIdle(w *worker[T]) (ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(w)
	w.idleEpoch++
	return c.closed
}

// takeIdle takes an idle worker with room off the list, for a batch of fibers. The epoch
// identifies this idle period of it.
func (c *coordinator[T]) takeIdle() (w *worker[T], epoch uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w = c.takeIdleLocked(); w != nil {
		epoch = w.idleEpoch
	}
	return w, epoch
}

func (c *coordinator[T]) takeIdleLocked() *worker[T] {
	for _, w := range slices.Backward(c.idle) {
		if !w.full {
			c.remove(w)
			return w
		}
	}
	return nil
}

// returnIdle puts a worker back that was taken and given nothing, unless it has woken up
// since. A payload that was queued meanwhile found it missing from the list, so wake it.
func (c *coordinator[T]) returnIdle(w *worker[T], epoch uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case w.idleEpoch != epoch:
	case c.queue.n > 0:
		w.s.Inbox().Notify()
	default:
		c.add(w)
	}
}

func (c *coordinator[T]) add(w *worker[T]) {
	c.idle = append(c.idle, w)
	c.count(w, 1)
}

// remove does nothing if the worker is not on the list.
func (c *coordinator[T]) remove(w *worker[T]) {
	at := slices.Index(c.idle, w)
	if at < 0 {
		return
	}
	c.idle = slices.Delete(c.idle, at, at+1)
	c.count(w, -1)
}

func (c *coordinator[T]) count(w *worker[T], by int) {
	if !w.full {
		c.idleWithRoom.Add(int32(by))
	}
	if w.finished {
		c.finished += by
	}
}

// closeIfFinished ends the pool if nothing can run any more: every worker is idle and depends
// on the others, no payload is queued that a worker has room for, and no command has reached
// a worker since it became idle.
//
// No batch of fibers in transit is overlooked. A worker that wakes up leaves the list before
// it looks at what has arrived, and a worker that sends a batch wakes the receiver before it
// can become idle itself.
func (c *coordinator[T]) closeIfFinished() {
	if c.closed || c.finished < len(c.workers) || c.holds > 0 || c.queue.n > 0 && c.idleWithRoom.Load() > 0 {
		return
	}
	waits, net := false, 0
	for _, w := range c.workers {
		if w.s.Inbox().Waiting() {
			return // its owner is about to wake up
		}
		waits, net = waits || w.waitsForMoved, net+w.netMovedOut
	}
	if waits && net != 0 {
		return // the fiber that is waited for was moved out of the pool, where it may run
	}
	c.closed = true
	for _, w := range c.idle {
		w.s.Inbox().Notify()
	}
}
