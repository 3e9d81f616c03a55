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
	idlers  atomic.Int32 // of those resting, the ones that have room
	waiting atomic.Int32 // len(queue)

	mu       sync.Mutex
	queue    queue[T]
	resting  []*worker[T] // the last to come that has room is the first to get something
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
		w.s.Inbox().Notify()
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
	if h.holds == 0 {
		h.rouseIslands()
	}
}

// rouseIslands has every worker that is an island look again: nobody holds the pool any more,
// and what its fibers wait for may be a deadlock now.
func (h *hall[T]) rouseIslands() {
	for _, w := range h.workers {
		if w.isle != nil {
			w.s.Inbox().Notify()
		}
	}
}

// isOver tells whether all was done, or nothing could go on.
func (h *hall[T]) isOver() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over
}

// expects tells whether more fibers may come from outside to one that has room, or not.
func (h *hall[T]) expects(room bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.holds > 0 || h.queue.n > 0 && room
}

// misses tells whether others than workers have taken fibers out of the pool, or brought some
// in, as far as the others have told when they came to rest, and as w knows of itself. Each
// worker that is asked looks itself, so what one has not told yet keeps that one silent.
func (h *hall[T]) misses(w *worker[T]) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := w.s.Inspect().Counts()
	away := int(n.MovedOut-n.MovedIn) - w.away
	for _, each := range h.workers {
		away += each.away
	}
	return away != 0
}

// What a worker that wants to rest is told.
type entry uint8

const (
	sleeps entry = iota + 1
	goesOn       // something waits for it
	allOver
)

// enter lets a worker rest.
func (h *hall[T]) enter(w *worker[T], o outlook) entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.queue.n > 0 && !h.over && !o.full {
		return goesOn
	}
	w.visit++
	w.outlook = o
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
	for _, w := range slices.Backward(h.resting) {
		if !w.full {
			h.remove(w)
			return w
		}
	}
	return nil
}

// putBack lets one that was picked in vain rest on, if it has not gone meanwhile. What has
// come from outside since woke nobody for it.
func (h *hall[T]) putBack(w *worker[T], visit uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case w.visit != visit:
	case h.queue.n > 0:
		w.s.Inbox().Notify()
	default:
		h.add(w)
	}
}

func (h *hall[T]) add(w *worker[T]) {
	h.resting = append(h.resting, w)
	h.note(w, 1)
}

// note counts a worker that comes to rest, or one less.
func (h *hall[T]) note(w *worker[T], by int) {
	if !w.full {
		h.idlers.Add(int32(by))
	}
	if w.finished {
		h.finished += by
	}
}

// remove takes a worker off the list, if it is on it.
func (h *hall[T]) remove(w *worker[T]) {
	at := slices.Index(h.resting, w)
	if at < 0 {
		return
	}
	h.resting = slices.Delete(h.resting, at, at+1)
	h.note(w, -1)
}

// endIfDone ends the pool if nothing can happen any more: every worker rests and has
// nothing that goes on by itself, nothing waits here that any of them has room for, and
// nothing has come to any worker since it found that it had nothing to do. A worker that
// wakes up leaves the list before it looks at what has come, and one that sends a parcel
// rings before it rests itself, so no parcel is overlooked.
func (h *hall[T]) endIfDone() {
	if h.over || h.finished < len(h.workers) || h.holds > 0 || h.queue.n > 0 && h.idlers.Load() > 0 {
		return
	}
	joins, away := false, 0
	for _, w := range h.workers {
		if w.s.Inbox().Waiting() {
			return // its owner is about to wake up
		}
		joins, away = joins || w.joins, away+w.away
	}
	if joins && away != 0 {
		return // somebody has taken one out of the pool, where it may go on
	}
	h.over = true
	for _, w := range h.resting {
		w.s.Inbox().Notify()
	}
}
