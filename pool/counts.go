package pool

// Counts counts, as of one moment, the workers; those that have nothing to run and wait, which are all of them after the
// run; and the payloads of Spawn that wait for a worker. Any goroutine may call it, before, during and after the run. It
// takes the lock that workers take to become idle, for three loads.
func (p *Pool[T]) Counts() (workers, idle, queued int) {
	c := &p.shared
	c.mu.Lock()
	defer c.mu.Unlock()
	workers, idle, queued = len(c.workers), len(c.idle), c.queue.n
	if c.closed {
		idle = workers // those that have left the list do not come back
	}
	return workers, idle, queued
}
