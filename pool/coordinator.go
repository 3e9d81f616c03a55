package pool

import (
	"slices"
	"sync"
	"sync/atomic"
)

// coordinator is what the workers share under one lock: the queue of payloads and the list of
// idle workers. Because both are here, it can decide that nothing is left to run.
//
// A busy worker takes the lock for a payload, or to give an idle worker something; it does not for
// fibers that it hands to a thief that is awake. Under the lock only inboxes are notified, which
// never blocks and takes no other lock.
//
// Invariants under the lock:
//   - a worker is in idle at most once, and only between its enterIdle and its leaveIdle;
//   - idleWithRoom and finished count the workers in idle that have room, and that are finished;
//   - a worker that was taken off the list to be given something counts as neither, so the pool
//     does not end before it has woken up or is put back.
type coordinator[T any] struct {
	workers []*worker[T] // all; never changes

	// Written under the lock, and read without it as hints. A busy worker looks at them at every
	// check, so they must not cost a lock. What an outdated value hides is found at the next check.
	idleWithRoom atomic.Int32 // idle workers that can take fibers
	queued       atomic.Int32 // queue.n

	mu    sync.Mutex
	queue injectQueue[T]
	// idle is a stack: the worker that became idle last, of those with room, is the first to be
	// given work, because its thread and its cache are the warmest.
	idle     []*worker[T]
	finished int // how many of idle have nothing that can run without the others
	holds    int // Hold calls that are not released
	begun    bool
	closed   bool // the pool has ended; never reset
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
// or its islands in a deadlock that they could not report while it was held. The release makes no
// fiber ready, so nothing else would wake the workers for that. Any goroutine may call it.
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
// are the numbers that the others stored when they last became idle, and w's own of now: the
// counters in their schedulers belong to their goroutines. A worker that has moved fibers since is
// not idle, and so does not take part in a deadlock.
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
	maySleep   admission = iota + 1 // it is on the list, and must call leaveIdle when it wakes up
	hasPayload                      // a queued payload is for it: it must not sleep
	poolEnded                       // it stays on the list, because it never wakes up again
)

// enterIdle puts a worker on the idle list. From then on it may be sent fibers, so its request must
// be open before.
//
// The queue is checked and the worker listed under one lock. A payload therefore is either found
// here, or put finds this worker on the list and wakes it.
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
// closeIfFinished. It may have been taken off the list before. It tells whether the pool has ended.
func (c *coordinator[T]) leaveIdle(w *worker[T]) (ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(w)
	w.idleEpoch++
	return c.closed
}

// takeIdle takes an idle worker with room off the list, for a batch of fibers. The epoch
// identifies this idle period of it. Off the list it is given nothing by another worker, and the
// pool cannot end while the caller packs. The caller sends it something, which wakes it, or calls
// returnIdle.
func (c *coordinator[T]) takeIdle() (w *worker[T], epoch uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w = c.takeIdleLocked(); w != nil {
		epoch = w.idleEpoch
	}
	return w, epoch
}

// takeIdleLocked returns nil if no idle worker has room. The caller holds mu, and must wake the
// worker or put it back.
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
// since. A payload that was queued meanwhile found it missing from the list, so wake it. The pool
// need not be checked for its end here: the caller is not idle.
func (c *coordinator[T]) returnIdle(w *worker[T], epoch uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case w.idleEpoch != epoch: // it is awake, or idle again by an enterIdle of its own
	case c.queue.n > 0:
		w.s.Inbox().Notify()
	default:
		c.add(w)
	}
}

// add puts the worker on the list. The caller holds mu, as for remove, count and closeIfFinished.
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

// count keeps the two counters in step with the list. It reads idleState, which must not change
// between the add and the remove of a worker.
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
// can become idle itself. So the last worker to become idle finds, for every batch that was sent,
// either that its receiver is not on the list, or that the receiver's inbox has been notified and
// not been read. No batch can be sent after it has looked, because every worker is idle then.
//
// It is called wherever one of the conditions may have become true: a worker became idle, a hold
// was released.
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
