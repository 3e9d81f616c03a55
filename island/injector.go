package island

import (
	"slices"
	"sync"
	"sync/atomic"
)

// hall is where the workers of a pool meet: what comes from outside waits there for a
// worker, and workers that have nothing to do wait there for something. So it is here that
// it shows when all is done.
type hall[T any] struct {
	workers []*worker[T]

	// For a glance without the lock.
	idlers  atomic.Int32 // len(resting)
	waiting atomic.Int32 // len(queue)

	mu       sync.Mutex
	queue    queue[T]
	resting  []*worker[T] // the last to come is the first to get something
	finished int          // of those, the ones of which nothing can go on by itself
	holds    int
	began    bool
	over     bool
}

// queue is payloads, first come first served.
type queue[T any] struct {
	ring    []T
	head, n int
	limit   int
}

func (q *queue[T]) push(data T) bool {
	if q.n == q.limit {
		return false
	}
	if q.n == len(q.ring) {
		q.grow()
	}
	q.ring[(q.head+q.n)%len(q.ring)] = data
	q.n++
	return true
}

func (q *queue[T]) grow() {
	bigger := make([]T, min(max(16, 2*q.n), q.limit))
	k := copy(bigger, q.ring[q.head:])
	copy(bigger[k:], q.ring[:q.head])
	q.ring, q.head = bigger, 0
}

func (q *queue[T]) pop() (data T, ok bool) {
	if q.n == 0 {
		return data, false
	}
	var none T
	data, q.ring[q.head] = q.ring[q.head], none
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	return data, true
}

// begin is false if the pool has begun before.
func (h *hall[T]) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := !h.began
	h.began = true
	return first
}

// put adds a payload from outside, and wakes a worker that rests.
func (h *hall[T]) put(data T) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return ErrPoolOver
	}
	if !h.queue.push(data) {
		return ErrPoolFull
	}
	h.waiting.Store(int32(h.queue.n))
	if w := h.pickLocked(); w != nil {
		w.s.Inbox().Rouse()
	}
	return nil
}

// take gives a worker the payload that has waited longest.
func (h *hall[T]) take() (data T, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	data, ok = h.queue.pop()
	h.waiting.Store(int32(h.queue.n))
	return data, ok
}

// close refuses more and gives what nobody has taken.
func (h *hall[T]) close() (left []T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	for data, ok := h.queue.pop(); ok; data, ok = h.queue.pop() {
		left = append(left, data)
	}
	return left
}

// hold changes how many hold the pool.
func (h *hall[T]) hold(by int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holds += by
	h.endIfDone()
}

// expects tells whether more fibers are to come from outside.
func (h *hall[T]) expects() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.holds > 0 || h.queue.n > 0
}

// What a worker that wants to rest is told.
type entry uint8

const (
	sleeps entry = iota + 1
	goesOn       // something waits for it
	allOver
)

// enter lets a worker rest.
func (h *hall[T]) enter(w *worker[T], finished bool) entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.queue.n > 0 && !h.over {
		return goesOn
	}
	w.visit++
	w.finished = finished
	h.add(w)
	if h.endIfDone(); h.over {
		return allOver
	}
	return sleeps
}

// leave is when a worker has woken up, whatever woke it; it tells whether all is over. It
// looks at what has come for it only afterwards: see endIfDone.
func (h *hall[T]) leave(w *worker[T]) (over bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(w)
	w.visit++
	return h.over
}

// pick takes out one that rests, to be given something and woken, and says in which visit.
func (h *hall[T]) pick() (w *worker[T], visit uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w = h.pickLocked(); w != nil {
		visit = w.visit
	}
	return w, visit
}

func (h *hall[T]) pickLocked() *worker[T] {
	if len(h.resting) == 0 {
		return nil
	}
	w := h.resting[len(h.resting)-1]
	h.remove(w)
	return w
}

// putBack lets one that was picked in vain rest on, if it has not gone meanwhile.
func (h *hall[T]) putBack(w *worker[T], visit uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.visit == visit {
		h.add(w)
	}
}

func (h *hall[T]) add(w *worker[T]) {
	h.resting = append(h.resting, w)
	h.idlers.Store(int32(len(h.resting)))
	if w.finished {
		h.finished++
	}
}

// remove takes a worker off the list, if it is on it.
func (h *hall[T]) remove(w *worker[T]) {
	at := slices.Index(h.resting, w)
	if at < 0 {
		return
	}
	h.resting = slices.Delete(h.resting, at, at+1)
	h.idlers.Store(int32(len(h.resting)))
	if w.finished {
		h.finished--
	}
}

// endIfDone ends the pool if nothing can happen any more: every worker rests and has
// nothing that goes on by itself, nothing waits here, and nothing has come to any worker
// since it found that it had nothing to do. A worker that wakes up leaves the list before
// it looks at what has come, and one that sends a parcel rings before it rests itself, so
// no parcel is overlooked.
func (h *hall[T]) endIfDone() {
	if h.over || h.finished < len(h.workers) || h.holds > 0 || h.queue.n > 0 {
		return
	}
	for _, w := range h.workers {
		if w.s.Inbox().Waiting() {
			return // its owner is about to wake up
		}
	}
	h.over = true
	for _, w := range h.resting {
		w.s.Inbox().Rouse()
	}
}
