package pool

// injectQueue is the payloads that were spawned from outside and that no worker has taken, in
// the order of their arrival. The coordinator's lock guards it. It is one queue for all workers: so
// the order is exact, and an idle worker need not search. A spawn from outside is rare compared to
// those of fibers, which use their own scheduler.
type injectQueue[T any] struct {
	ring []T // grows as needed, up to limit; never shrinks
	// head is the index of the oldest payload, and n how many there are from there on, around the
	// end of the ring. The other places are zero.
	head, n int
	limit   int
}

// push is false if the queue is full.
func (q *injectQueue[T]) push(data T) bool {
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

// grow doubles the ring and moves the oldest payload to its start.
func (q *injectQueue[T]) grow() {
	bigger := make([]T, min(max(16, 2*q.n), q.limit))
	k := copy(bigger, q.ring[q.head:])
	copy(bigger[k:], q.ring[:q.head])
	q.ring, q.head = bigger, 0
}

// pop clears the slot, so that the queue does not keep the payload alive.
func (q *injectQueue[T]) pop() (data T, ok bool) {
	if q.n == 0 {
		return data, false
	}
	var none T
	data, q.ring[q.head] = q.ring[q.head], none
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	return data, true
}

// put queues a payload and wakes an idle worker for it. If none is idle, a busy one takes it at one
// of its next checks. The worker is taken off the list here, not when it wakes up, so that the next
// payload wakes another one. Until then the pool cannot end. Before the run no worker is idle, and
// the payloads wait for its begin.
func (c *coordinator[T]) put(data T) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	if !c.queue.push(data) {
		return ErrFull
	}
	c.queued.Store(int32(c.queue.n))
	if w := c.takeIdleLocked(); w != nil {
		w.s.Inbox().Notify()
	}
	return nil
}

// take returns the payload that has waited longest. Several workers may have read queued at the same
// time, so there may be none any more.
func (c *coordinator[T]) take() (data T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	data, ok = c.queue.pop()
	c.queued.Store(int32(c.queue.n))
	return data, ok
}

// close refuses further payloads and returns those that no worker has taken. It is called when no
// worker runs any more. Every payload that put has accepted is therefore either spawned or returned
// here (I12).
func (c *coordinator[T]) close() (left []T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for data, ok := c.queue.pop(); ok; data, ok = c.queue.pop() {
		left = append(left, data)
	}
	return left
}
